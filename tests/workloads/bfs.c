/* bfs.c: a breadth-first search over a Kronecker graph, as in Graph500: 2^SCALE vertices, EDGES
 * edges for each, in compressed rows: the neighbours of vertex v are column[rowstarts[v] …
 * rowstarts[v + 1] - 1]. pred[v] is the vertex that v was found from.
 *
 * usage: bfs [SCALE [EDGES]]   (20 16)
 */
#include "workload.h"

struct graph {
    uint32_t vertices;
    uint64_t edges; /* each counted from both ends */
    uint64_t *rowstarts;
    uint32_t *column;
};

static __attribute__((noinline)) uint32_t *new_column(uint64_t edges)
{
    return take("column", edges * sizeof(uint32_t));
}

static __attribute__((noinline)) uint64_t *new_rowstarts(uint32_t vertices)
{
    return take("rowstarts", (vertices + (uint64_t)1) * sizeof(uint64_t));
}

static __attribute__((noinline)) int64_t *new_pred(uint32_t vertices)
{
    return take("pred", vertices * sizeof(int64_t));
}

static __attribute__((noinline)) uint32_t *new_queue(uint32_t vertices)
{
    return take("queue", vertices * sizeof(uint32_t));
}

/* One end after the other falls into a quarter of the matrix with the probabilities of Graph500:
 * 0.57, 0.19, 0.19, 0.05. */
static void draw_edge(long scale, uint32_t *from, uint32_t *to)
{
    *from = *to = 0;
    for (long bit = 0; bit < scale; bit++) {
        uint64_t part = next_random() % 100;
        *from = *from << 1 | (part >= 76);
        *to = *to << 1 | ((part >= 57 && part < 76) || part >= 95);
    }
}

/* Vertices are numbered anew, so that those with many neighbours do not lie side by side. */
static uint32_t scramble(uint32_t vertex, long scale)
{
    uint32_t mask = (uint32_t)((1ul << scale) - 1);
    vertex = (vertex * 2654435761u) & mask;
    vertex ^= vertex >> (scale + 1) / 2;
    return (vertex * 2246822519u) & mask;
}

static struct graph make_graph(long scale, long per_vertex)
{
    struct graph g = {.vertices = (uint32_t)1 << scale};
    uint64_t count = (uint64_t)per_vertex << scale;
    uint32_t(*list)[2] = malloc(count * sizeof *list);
    check(list != NULL, "no memory for the edges");
    g.edges = 2 * count;
    g.rowstarts = new_rowstarts(g.vertices);
    g.column = new_column(g.edges);
    for (uint64_t i = 0; i < count; i++) {
        draw_edge(scale, &list[i][0], &list[i][1]);
        for (int end = 0; end < 2; end++)
            g.rowstarts[list[i][end] = scramble(list[i][end], scale)]++;
    }
    for (uint32_t v = 1; v <= g.vertices; v++) /* now where the row of v ends */
        g.rowstarts[v] += g.rowstarts[v - 1];
    for (uint64_t i = 0; i < count; i++)
        for (int end = 0; end < 2; end++)
            g.column[--g.rowstarts[list[i][end]]] = list[i][1 - end];
    free(list);
    return g;
}

static __attribute__((noinline)) uint32_t search(const struct graph *g, uint32_t root,
                                                 int64_t *pred, uint32_t *queue)
{
    uint32_t found = 1;
    queue[0] = root;
    pred[root] = root;
    for (uint32_t at = 0; at < found; at++) {
        uint32_t from = queue[at];
        for (uint64_t i = g->rowstarts[from]; i < g->rowstarts[from + 1]; i++) {
            uint32_t to = g->column[i];
            if (pred[to] < 0) {
                pred[to] = from;
                queue[found++] = to;
            }
        }
    }
    return found;
}

/* Every vertex that was found has a neighbour that was, and so have all its neighbours. */
static void check_tree(const struct graph *g, const int64_t *pred)
{
    for (uint32_t v = 0; v < g->vertices; v++)
        for (uint64_t i = g->rowstarts[v]; i < g->rowstarts[v + 1]; i++)
            check((pred[v] < 0) == (pred[g->column[i]] < 0), "an edge leads out of the tree");
}

int main(int argc, char **argv)
{
    long scale = argument(argc, argv, 1, 20), per_vertex = argument(argc, argv, 2, 16);
    struct graph g = make_graph(scale, per_vertex);
    int64_t *pred = new_pred(g.vertices);
    uint32_t *queue = new_queue(g.vertices), root = 0;
    for (uint32_t v = 0; v < g.vertices; v++)
        pred[v] = -1;
    while (g.rowstarts[root] == g.rowstarts[root + 1])
        root++;
    begin_work();
    uint32_t found = search(&g, root, pred, queue);
    end_work((double)g.edges);
    check(found > g.vertices / 4, "the search found few vertices");
    check_tree(&g, pred);
    return 0;
}
