/* mesh.h: the traffic between cores and slices on a grid. */
#ifndef TLBLAB_MAPS_MESH_H
#define TLBLAB_MAPS_MESH_H

#include <stddef.h>
#include <stdint.h>

enum { MESH_MAX = 64 /* columns, and rows [bound] */ };

/* The positions of slices and cores. */
struct mesh {
    struct tile {
        int slice, core; /* negative: none */
        unsigned x, y;
    } * tile;
    size_t tiles;
    unsigned columns, rows;
    /* Bytes on the link that leaves (x, y), at y × columns + x. */
    uint64_t *right, *left, *down, *up;
};

/* Reads a table with the columns slice, core, x, y; slice and core may be missing. Dies for bad
 * data. */
struct mesh mesh_read(const char *file);
void mesh_free(struct mesh *mesh);

/* The tile of a slice or core; NULL: not in the table. */
const struct tile *mesh_slice(const struct mesh *mesh, int slice);
const struct tile *mesh_core(const struct mesh *mesh, int core);

/* Moves bytes between two tiles, first along the column, then along the row, like Intel's mesh. */
void mesh_move(struct mesh *mesh, const struct tile *from, const struct tile *to, uint64_t bytes);

/* Writes the table of links: x, y, to_x, to_y, bytes. */
void mesh_put_rows(const struct mesh *mesh);

#endif
