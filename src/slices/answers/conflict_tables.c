/* conflict_tables.c: the tables of slicehash conflicts and traffic. */
#include "base/error.h"
#include "base/random.h"
#include "base/range.h"
#include "slices/answers/tables.h"
#include "slices/hash/paddr.h"
#include "slices/maps/map_make.h"
#include "slices/maps/mesh.h"
#include <stdlib.h>

static const double shares = 1e6; /* shares are rounded to a millionth [bound] */

/* ---- sets ---- */

static void put_sets(const struct occupancy *o)
{
    struct conflicts c = conflicts_of(o);
    table_put_meta("sets", "%llu", (unsigned long long)o->of.sets);
    table_put_meta("ways", "%llu", (unsigned long long)o->of.ways);
    table_put_meta("lines", "%zu", c.lines);
    table_put_meta("overflow", "%.6g", rounded(c.overflow, shares));
    table_put_meta("cyclic", "%.6g", rounded(c.cyclic, shares));
    table_put_header("set\tslice\tlines\toverflow");
    for (uint64_t set = 0; set < o->of.sets; set++)
        for (unsigned slice = 0; slice < o->slices; slice++) {
            uint32_t lines = o->lines[slice * o->of.sets + set];
            if (lines == 0)
                continue;
            put_count(set, '\t');
            put_count(slice, '\t');
            put_count(lines, '\t');
            put_count(lines > o->of.ways ? lines - o->of.ways : 0, '\n');
        }
}

int conflicts_put_pages(const struct conflict_memory *m, const uint64_t *pages)
{
    struct occupancy o = occupancy_begin(m->hash, m->of);
    table_begin(NULL);
    occupancy_add_pages(&o, m->hash, pages, m->page_bytes, m->bytes);
    put_sets(&o);
    occupancy_free(&o);
    return STATUS_DONE;
}

int conflicts_put_rows(const struct conflict_memory *m, struct table *table)
{
    struct occupancy o = occupancy_begin(m->hash, m->of);
    int paddr = table_column(table, "paddr"), status = STATUS_DONE;
    table_require(table, paddr);
    table_begin(table);
    while (table_next(table)) {
        uint64_t at = paddr_read(table, paddr), line = at >> LINE_BITS;
        int slice = slice_of(m->hash, at);
        if (slice < 0) {
            status = STATUS_PARTIAL;
            continue;
        }
        o.lines[(size_t)slice * m->of.sets + (line & (m->of.sets - 1))]++;
        o.total++;
    }
    if (status != STATUS_DONE)
        warn("some addresses are left out: the hash does not apply to them");
    put_sets(&o);
    occupancy_free(&o);
    return table_partial(table) ? STATUS_PARTIAL : status;
}

/* ---- draws and offsets ---- */

static void put_conflicts(struct conflicts c)
{
    put_count(c.lines, '\t');
    put_number(rounded(c.overflow, shares), '\t');
    put_number(rounded(c.cyclic, shares), '\n');
}

/* Trials (draws or offsets), all of which are written; with `suggest`, only the best. */
struct trials {
    bool suggest;
    uint64_t number;
    struct conflicts best;
};

static void put_trial(uint64_t number, struct conflicts c)
{
    put_count(number, '\t');
    put_conflicts(c);
}

static void add_trial(struct trials *trials, uint64_t number, struct conflicts c)
{
    const struct conflicts *best = &trials->best;
    if (!trials->suggest)
        put_trial(number, c);
    else if (best->lines == 0 || c.overflow < best->overflow ||
             (c.overflow <= best->overflow && c.cyclic < best->cyclic)) {
        trials->number = number;
        trials->best = c;
    }
}

static void end_trials(const struct trials *trials)
{
    if (trials->suggest)
        put_trial(trials->number, trials->best);
}

static size_t pages_of(const struct conflict_memory *m)
{
    return (size_t)((m->bytes + m->page_bytes - 1) / m->page_bytes);
}

int conflicts_put_draws(const struct conflict_memory *m, uint64_t draws, uint64_t seed,
                        unsigned top_bit, bool suggest)
{
    struct occupancy o = occupancy_begin(m->hash, m->of);
    struct trials trials = {.suggest = suggest};
    unsigned bits = highest_bit(m->page_bytes) - LINE_BITS;
    table_begin(NULL);
    table_put_meta("seed", "%llu", (unsigned long long)seed);
    table_put_header("draw\tlines\toverflow\tcyclic");
    for (uint64_t draw = 0; draw < draws; draw++) {
        uint64_t *pages = map_random_pages(top_bit, bits, pages_of(m), random_mix(seed, draw));
        occupancy_clear(&o);
        occupancy_add_pages(&o, m->hash, pages, m->page_bytes, m->bytes);
        add_trial(&trials, draw, conflicts_of(&o));
        free(pages);
    }
    end_trials(&trials);
    occupancy_free(&o);
    return STATUS_DONE;
}

int conflicts_put_offsets(const struct conflict_memory *m, const struct range *offsets,
                          bool suggest)
{
    struct occupancy o = occupancy_begin(m->hash, m->of);
    struct trials trials = {.suggest = suggest};
    table_begin(NULL);
    table_put_header("offset_bytes\tlines\toverflow\tcyclic");
    for (size_t k = 0; k < offsets->count; k++) {
        occupancy_clear(&o);
        occupancy_add(&o, m->hash, offsets->values[k], m->bytes, 1);
        add_trial(&trials, offsets->values[k], conflicts_of(&o));
    }
    end_trials(&trials);
    occupancy_free(&o);
    return STATUS_DONE;
}

int conflicts_put_choice(const struct conflict_memory *m, uint64_t *pages, size_t count)
{
    struct occupancy o = occupancy_begin(m->hash, m->of);
    size_t wanted = pages_of(m);
    if (count < wanted)
        die("%zu pages are needed, only %zu are given", wanted, count);
    conflicts_choose_pages(m->hash, m->of, pages, count, wanted, m->page_bytes);
    table_begin(NULL);
    table_put_header("paddr\tlines\toverflow\tcyclic");
    for (size_t k = 0; k < wanted; k++) {
        uint64_t left = m->bytes - k * m->page_bytes;
        occupancy_add(&o, m->hash, pages[k], left < m->page_bytes ? left : m->page_bytes, 1);
        paddr_put(pages[k], '\t');
        put_conflicts(conflicts_of(&o));
    }
    occupancy_free(&o);
    return STATUS_DONE;
}

/* ---- traffic ---- */

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
        put_number(rounded((double)t->bytes[i] / (double)all, shares), '\n');
    }
}

/* Moves bytes from a slice to a core; if no core is named, an equal part to each. */
static void move(struct mesh *mesh, const struct tile *slice, const struct tile *core,
                 uint64_t bytes)
{
    size_t cores = 0;
    if (core != NULL) {
        mesh_move(mesh, slice, core, bytes);
        return;
    }
    for (size_t i = 0; i < mesh->tiles; i++)
        cores += mesh->tile[i].core >= 0;
    for (size_t i = 0; i < mesh->tiles; i++)
        if (mesh->tile[i].core >= 0)
            mesh_move(mesh, slice, &mesh->tile[i], bytes / cores);
}

static void move_all(struct mesh *mesh, const struct slice_traffic *t)
{
    for (int i = 0; i < SLICES_MAX; i++) {
        if (t->lines[i] == 0)
            continue;
        const struct tile *slice = mesh_slice(mesh, i);
        if (slice == NULL)
            die("slice %d is not on the grid", i);
        move(mesh, slice, NULL, t->bytes[i]);
    }
}

/* The traffic of one row, if the hash applies to it. */
static bool add_row(struct slice_traffic *t, const struct slice_hash *hash, struct table *table,
                    const int column[3], struct mesh *mesh)
{
    uint64_t at = paddr_read(table, column[0]), bytes, core;
    int slice = slice_of(hash, at);
    bool has_core = table_count(table, column[2], &core);
    if (!table_count(table, column[1], &bytes))
        bytes = 1 << LINE_BITS;
    if (slice < 0)
        return false;
    if (mesh != NULL && has_core) {
        const struct tile *from = mesh_slice(mesh, slice);
        const struct tile *to = core <= INT16_MAX ? mesh_core(mesh, (int)core) : NULL;
        if (from == NULL)
            table_die(table, column[0], "its slice, %d, is not on the grid", slice);
        if (to == NULL)
            table_die(table, column[2], "this core is not on the grid");
        move(mesh, from, to, bytes);
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
        move_all(&mesh, &t);
        mesh_put_rows(&mesh);
        mesh_free(&mesh);
    }
    return table_partial(table) ? STATUS_PARTIAL : status;
}
