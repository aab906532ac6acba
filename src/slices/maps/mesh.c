/* mesh.c: the traffic between cores and slices on a grid. */
#include "slices/maps/mesh.h"
#include "base/error.h"
#include "table/table.h"
#include <stdlib.h>

/* A coordinate of the current row. */
static unsigned read_place(struct table *table, int column)
{
    uint64_t place;
    if (!table_count(table, column, &place) || place >= MESH_MAX)
        table_die(table, column, "expected 0 to %d", MESH_MAX - 1);
    return (unsigned)place;
}

static int read_name(struct table *table, int column)
{
    uint64_t number;
    if (!table_count(table, column, &number))
        return -1;
    if (number > INT16_MAX)
        table_die(table, column, "no machine has that many");
    return (int)number;
}

struct mesh mesh_read(const char *file)
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
        *t = (struct tile){read_name(table, slice), read_name(table, core), read_place(table, x),
                           read_place(table, y)};
        m.columns = t->x + 1 > m.columns ? t->x + 1 : m.columns;
        m.rows = t->y + 1 > m.rows ? t->y + 1 : m.rows;
    }
    if (m.tiles == 0)
        die("%s: it has no slice", file);
    size_t places = (size_t)m.columns * m.rows;
    m.right = allocate(4 * places, sizeof *m.right);
    m.left = m.right + places;
    m.down = m.left + places;
    m.up = m.down + places;
    table_close(table);
    return m;
}

void mesh_free(struct mesh *m)
{
    free(m->tile);
    free(m->right);
}

const struct tile *mesh_slice(const struct mesh *m, int slice)
{
    for (size_t i = 0; i < m->tiles; i++)
        if (m->tile[i].slice == slice && slice >= 0)
            return &m->tile[i];
    return NULL;
}

const struct tile *mesh_core(const struct mesh *m, int core)
{
    for (size_t i = 0; i < m->tiles; i++)
        if (m->tile[i].core == core && core >= 0)
            return &m->tile[i];
    return NULL;
}

void mesh_move(struct mesh *m, const struct tile *from, const struct tile *to, uint64_t bytes)
{
    unsigned x = from->x, y = from->y;
    while (y != to->y) {
        (y < to->y ? m->down : m->up)[y * m->columns + x] += bytes;
        y += y < to->y ? 1 : UINT32_MAX;
    }
    while (x != to->x) {
        (x < to->x ? m->right : m->left)[y * m->columns + x] += bytes;
        x += x < to->x ? 1 : UINT32_MAX;
    }
}

static void put_link(unsigned x, unsigned y, unsigned to_x, unsigned to_y, uint64_t bytes)
{
    put_count(x, '\t');
    put_count(y, '\t');
    put_count(to_x, '\t');
    put_count(to_y, '\t');
    put_count(bytes, '\n');
}

void mesh_put_rows(const struct mesh *m)
{
    table_put_header("x\ty\tto_x\tto_y\tbytes");
    for (unsigned y = 0; y < m->rows; y++)
        for (unsigned x = 0; x < m->columns; x++) {
            size_t at = (size_t)y * m->columns + x;
            if (x + 1 < m->columns)
                put_link(x, y, x + 1, y, m->right[at]);
            if (x > 0)
                put_link(x, y, x - 1, y, m->left[at]);
            if (y + 1 < m->rows)
                put_link(x, y, x, y + 1, m->down[at]);
            if (y > 0)
                put_link(x, y, x, y - 1, m->up[at]);
        }
}
