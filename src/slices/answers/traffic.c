/* traffic.c: the lines and bytes of each slice, or on each link between slices and cores. */
#include "base/error.h"
#include "slices/answers/tables.h"
#include "slices/hash/hash_file.h"
#include <stdlib.h>

enum { MESH_MAX = 64 /* columns, and rows [bound] */ };

/* ---- a grid of slices and cores ---- */

struct tile {
    int slice, core; /* negative: none */
    int x, y;
};

/* Where links lead from (x, y). */
enum { RIGHT, LEFT, DOWN, UP, LINKS };
static const struct {
    int x, y;
} step[LINKS] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

struct mesh {
    struct tile *tile;
    size_t tiles;
    int columns, rows;
    uint64_t (*bytes)[LINKS]; /* on the links that leave (x, y), at y × columns + x */
};

/* A number of the current row, below `limit`; -1 if it is missing. */
static int read_small(struct table *table, int column, int limit)
{
    uint64_t number;
    if (!table_count(table, column, &number))
        return -1;
    if (number >= (uint64_t)limit)
        table_die(table, column, "expected 0 to %d", limit - 1);
    return (int)number;
}

static int read_place(struct table *table, int column)
{
    int place = read_small(table, column, MESH_MAX);
    if (place < 0)
        table_die(table, column, "missing");
    return place;
}

static struct mesh mesh_read(const char *file)
{
    struct mesh m = {0};
    struct table *table = table_open((char *[]){(char *)file}, 1);
    int slice = table_column(table, "slice"), core = table_column(table, "core");
    int x = table_column(table, "x"), y = table_column(table, "y");
    table_require(table, x);
    table_require(table, y);
    table_require(table, slice);
    while (table_next(table)) {
        m.tile = reallocate(m.tile, m.tiles + 1, sizeof *m.tile);
        struct tile *t = &m.tile[m.tiles++];
        *t = (struct tile){read_small(table, slice, INT16_MAX), read_small(table, core, INT16_MAX),
                           read_place(table, x), read_place(table, y)};
        m.columns = t->x + 1 > m.columns ? t->x + 1 : m.columns;
        m.rows = t->y + 1 > m.rows ? t->y + 1 : m.rows;
    }
    if (m.tiles == 0)
        die("%s: it has no slice", file);
    m.bytes = allocate((size_t)m.columns * (size_t)m.rows, sizeof *m.bytes);
    table_close(table);
    return m;
}

static const struct tile *tile_of_slice(const struct mesh *m, int slice)
{
    for (size_t i = 0; i < m->tiles; i++)
        if (m->tile[i].slice == slice)
            return &m->tile[i];
    return NULL;
}

/* Moves bytes from a slice to a core, first along the column, then along the row, as Intel's mesh
 * does. */
static void move(struct mesh *m, const struct tile *from, const struct tile *to, uint64_t bytes)
{
    for (int x = from->x, y = from->y; x != to->x || y != to->y;) {
        int link = y < to->y ? DOWN : y > to->y ? UP : x < to->x ? RIGHT : LEFT;
        m->bytes[y * m->columns + x][link] += bytes;
        x += step[link].x;
        y += step[link].y;
    }
}

/* Moves bytes to the cores of this number, in equal parts; -1: to all. Returns whether there are
 * any. */
static bool move_to(struct mesh *m, const struct tile *from, int core, uint64_t bytes)
{
    size_t cores = 0;
    for (size_t i = 0; i < m->tiles; i++)
        cores += core < 0 ? m->tile[i].core >= 0 : m->tile[i].core == core;
    for (size_t i = 0; i < m->tiles; i++)
        if (core < 0 ? m->tile[i].core >= 0 : m->tile[i].core == core)
            move(m, from, &m->tile[i], bytes / cores);
    return cores > 0;
}

static void put_links(const struct mesh *m)
{
    table_put_header("x\ty\tto_x\tto_y\tbytes");
    for (int y = 0; y < m->rows; y++)
        for (int x = 0; x < m->columns; x++)
            for (int link = 0; link < LINKS; link++) {
                int to_x = x + step[link].x, to_y = y + step[link].y;
                if (to_x >= 0 && to_x < m->columns && to_y >= 0 && to_y < m->rows)
                    put_formatted("%d\t%d\t%d\t%d\t%llu\n", x, y, to_x, to_y,
                                  (unsigned long long)m->bytes[y * m->columns + x][link]);
            }
}

/* ---- slices ---- */

struct slice_traffic {
    uint64_t lines[SLICES_MAX], bytes[SLICES_MAX];
};

static void put_slices(const struct slice_traffic *t)
{
    uint64_t all = 0;
    for (int i = 0; i < SLICES_MAX; i++)
        all += t->bytes[i];
    table_put_header("slice\tlines\tbytes\tshare");
    for (unsigned i = 0; i < SLICES_MAX; i++) {
        if (t->lines[i] == 0)
            continue;
        put_count(i, '\t');
        put_count(t->lines[i], '\t');
        put_count(t->bytes[i], '\t');
        put_number(rounded((double)t->bytes[i] / (double)all, 1e6), '\n');
    }
}

/* Bytes of lines whose core is not named go to all cores alike. */
static void move_rest(struct mesh *mesh, const struct slice_traffic *t)
{
    for (int i = 0; i < SLICES_MAX; i++) {
        if (t->lines[i] == 0)
            continue;
        const struct tile *slice = tile_of_slice(mesh, i);
        if (slice == NULL)
            die("slice %d is not on the grid", i);
        move_to(mesh, slice, -1, t->bytes[i]);
    }
}

/* The traffic of one row, if the hash applies to it. */
static bool add_row(struct slice_traffic *t, const struct slice_hash *hash, struct table *table,
                    const int column[3], struct mesh *mesh)
{
    uint64_t bytes;
    int slice = slice_of(hash, paddr_read(table, column[0]));
    int core = mesh != NULL ? read_small(table, column[2], INT16_MAX) : -1;
    if (!table_count(table, column[1], &bytes))
        bytes = 1 << LINE_BITS;
    if (slice < 0)
        return false;
    if (core >= 0) {
        const struct tile *from = tile_of_slice(mesh, slice);
        if (from == NULL)
            table_die(table, column[0], "its slice, %d, is not on the grid", slice);
        if (!move_to(mesh, from, core, bytes))
            table_die(table, column[2], "this core is not on the grid");
        return true;
    }
    t->lines[slice]++;
    t->bytes[slice] += bytes;
    return true;
}

int traffic_put(const struct slice_hash *hash, struct table *table, const char *grid)
{
    struct slice_traffic t = {0};
    struct mesh mesh = {0};
    int status = STATUS_DONE;
    const int column[] = {table_column(table, "paddr"), table_column(table, "bytes"),
                          table_column(table, "core")};
    table_require(table, column[0]);
    if (grid != NULL)
        mesh = mesh_read(grid);
    while (table_next(table))
        if (!add_row(&t, hash, table, column, grid != NULL ? &mesh : NULL))
            status = STATUS_PARTIAL;
    if (status != STATUS_DONE)
        warn("some addresses are left out: the hash does not apply to them");
    table_begin(table);
    if (grid == NULL)
        put_slices(&t);
    else {
        move_rest(&mesh, &t);
        put_links(&mesh);
        free(mesh.tile);
        free(mesh.bytes);
    }
    return table_partial(table) ? STATUS_PARTIAL : status;
}
