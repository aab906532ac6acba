/* bfs.c: a breadth-first search over a Kronecker graph, as in Graph500: 2^SCALE vertices, EDGES
 * edges for each, in compressed rows: the neighbours of vertex v are column[rowstarts[v] …
 * rowstarts[v + 1] - 1]. pred[v] is the vertex that v was found from.
 *
 * With -DGRAPH500 arrays and search are those of Graph500's MPI program in one process: vertices
 * have 64 bits, and a bitmap has those that were found. With PARTS the search goes level by level:
 * each part looks at its own vertices that the level before has found. Of two that find one vertex
 * either becomes its predecessor.
 *
 * usage: bfs [SCALE [EDGES [PARTS]]]   (20 16, by a queue)
 */
#include "workload.h"

#ifdef GRAPH500
typedef uint64_t vertex;
#else
typedef uint32_t vertex;
#endif

struct graph {
    uint32_t vertices;
    uint64_t edges; /* each counted from both ends */
    uint64_t *rowstarts;
    vertex *column;
};

ARRAY(column, vertex)
ARRAY(rowstarts, uint64_t)
ARRAY(pred, int64_t)
ARRAY(queue, vertex)
#ifdef GRAPH500
ARRAY(found, uint64_t)
#endif
ARRAY(level, uint8_t)

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
    g.rowstarts = new_rowstarts(g.vertices + (size_t)1);
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

/* Whether a vertex is found for the first time. */
static inline int is_new(uint64_t *bits, const int64_t *pred, uint64_t v)
{
#ifdef GRAPH500
    (void)pred;
    if ((bits[v / 64] & (uint64_t)1 << v % 64) != 0)
        return 0;
    bits[v / 64] |= (uint64_t)1 << v % 64;
    return 1;
#else
    (void)bits;
    return pred[v] < 0;
#endif
}

static __attribute__((noinline)) uint32_t search(const struct graph *g, uint32_t root,
                                                 int64_t *pred, vertex *queue, uint64_t *bits)
{
    uint32_t found = 1;
    queue[0] = root;
    is_new(bits, pred, root);
    for (uint32_t at = 0; at < found; at++) {
        vertex from = queue[at];
        for (uint64_t i = g->rowstarts[from]; i < g->rowstarts[from + 1]; i++) {
            vertex to = g->column[i];
            if (is_new(bits, pred, to)) {
                pred[to] = (int64_t)from;
                queue[found++] = to;
            }
        }
    }
    return found;
}

/* From the vertices of a level, from `begin` on, to those of the next one; returns whether there
 * are any. A vertex that another thread has just found is found once more: so what a thread
 * accesses does not depend on the others. */
enum { NO_LEVEL = 255 };

static __attribute__((noinline)) int search_level(const struct graph *g, uint8_t *level,
                                                  int64_t *pred, uint32_t begin, uint32_t end,
                                                  unsigned now)
{
    int any = 0;
    for (uint32_t from = begin; from < end; from++) {
        if (level[from] != now)
            continue;
        for (uint64_t i = g->rowstarts[from]; i < g->rowstarts[from + 1]; i++) {
            vertex to = g->column[i];
            if (level[to] > now) {
                level[to] = (uint8_t)(now + 1);
                pred[to] = from;
                any = 1;
            }
        }
    }
    return any;
}

static uint32_t search_levels(const struct graph *g, int64_t *pred, uint8_t *level, long parts)
{
    int more = 1;
    uint32_t found = 0;
    for (unsigned now = 0; more; now++) {
        more = 0;
        EACH_PART(part)
        {
            uint32_t begin = (uint32_t)(g->vertices * (uint64_t)part / (uint64_t)parts);
            uint32_t end = (uint32_t)(g->vertices * (uint64_t)(part + 1) / (uint64_t)parts);
            begin_part(part);
            if (search_level(g, level, pred, begin, end, now))
                __atomic_store_n(&more, 1, __ATOMIC_RELAXED);
        }
    }
    for (uint32_t v = 0; v < g->vertices; v++)
        found += level[v] != NO_LEVEL;
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
    vertex *queue = NULL;
    uint64_t *bits = NULL;
    uint8_t *level = NULL;
    uint32_t root = 0;
    long parts = argument(argc, argv, 3, 1);
    if (argc > 3)
        memset(level = new_level(g.vertices), NO_LEVEL, g.vertices);
    else
        queue = new_queue(g.vertices);
#ifdef GRAPH500
    bits = new_found(g.vertices / 64);
#endif
    for (uint32_t v = 0; v < g.vertices; v++)
        pred[v] = -1;
    while (g.rowstarts[root] == g.rowstarts[root + 1])
        root++;
    pred[root] = root;
    if (level != NULL)
        level[root] = 0;
    begin_work();
    uint32_t found = argc > 3 ? search_levels(&g, pred, level, parts)
                              : search(&g, root, pred, queue, bits);
    end_work((double)g.edges);
    check(found > g.vertices / 4, "the search found few vertices");
    check_tree(&g, pred);
    return 0;
}
