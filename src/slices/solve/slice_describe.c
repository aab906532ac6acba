/* slice_describe.c: turns the solver's results into a hash in canonical form and a list of what is
 * undetermined. */
#include "base/error.h"
#include "base/number.h"
#include "slices/solve/solver.h"

size_t solver_count(const struct solver *s, enum block_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < s->maps->count; i++)
        count += s->state[i] == state;
    return count;
}

static unsigned top_bit_of(const struct slice_maps *maps)
{
    uint64_t any = 0;
    for (size_t i = 0; i < maps->count; i++)
        any |= maps->address[i];
    if (maps->paddr_bits < ADDRESS_BITS_MAX)
        return maps->paddr_bits - 1;
    return any >> (LINE_BITS + maps->block_bits) != 0 ? highest_bit(any)
                                                      : LINE_BITS + maps->block_bits - 1;
}

/* Column b of the masks: the effect of address bit b on the index. */
static void set_column(struct slice_hash *h, unsigned b, uint64_t column)
{
    for (unsigned t = 0; t < h->index_bits; t++)
        h->mask[t] |= (column >> t & 1) << b;
}

/* Address bits within a block are index bits of the consensus; those beyond the base are pivots of
 * the symmetry. */
static void set_inner_columns(const struct solver *s, struct slice_hash *h)
{
    for (unsigned b = h->index_bits; b < s->bits; b++)
        set_column(h, LINE_BITS + b, xor_space_reduce(&s->symmetry, (uint64_t)1 << b));
}

/* A page that, together with those present, determines the masks of address bit b. */
static uint64_t page_for(const struct solver *s, unsigned b)
{
    uint64_t found = 0;
    for (size_t i = s->maps->count; i-- > 0;)
        if (s->state[i] == BLOCK_ALIGNED) {
            found = s->maps->address[i];
            if (found >> b & 1)
                break;
        }
    return found ^ (uint64_t)1 << b;
}

/* Limits the hash to the span of the blocks' addresses: flipping address bit b, a non-pivot, flips
 * all pivots with b in their row. */
static void limit(const struct solver *s, struct slice_solution *solution, unsigned b)
{
    struct slice_hash *h = &solution->hash;
    uint64_t changed = (uint64_t)1 << b, constant = (uint64_t)1 << 63;
    for (unsigned pivot = 0; pivot < 64; pivot++)
        if (s->masks.space.row[pivot] >> b & 1)
            changed |= (uint64_t)1 << pivot;
    h->limit[h->limits] = changed & (((uint64_t)1 << ADDRESS_BITS_MAX) - 1);
    h->limit_parity[h->limits++] = (changed & constant) != 0;
    solution->undetermined |= changed & (((uint64_t)1 << ADDRESS_BITS_MAX) - 1);
    solution->page[solution->pages_needed++] = page_for(s, b);
}

/* The masks of the address bits above a block, and the shift of the consensus relative to address
 * 0; undetermined bits count as 0. */
static uint32_t set_outer_columns(struct solver *s, struct slice_solution *solution)
{
    struct slice_hash *h = &solution->hash;
    xor_equations_clear_pivots(&s->masks);
    for (unsigned b = LINE_BITS + s->bits; b <= h->top_bit; b++) {
        if (s->masks.space.row[b] != 0)
            set_column(h, b, xor_space_reduce(&s->symmetry, s->masks.value[b]));
        else
            limit(s, solution, b);
    }
    return s->masks.space.row[63] != 0 ? (uint32_t)s->masks.value[63] : 0;
}

static void set_base(const struct solver *s, struct slice_solution *solution, uint32_t shift)
{
    struct slice_hash *h = &solution->hash;
    size_t lines = (size_t)1 << h->index_bits;
    shift = (uint32_t)xor_space_reduce(&s->symmetry, shift);
    h->base = allocate(lines, 1);
    for (size_t x = 0; x < lines; x++) {
        h->base[x] = s->consensus[x ^ shift];
        solution->missing += h->base[x] < 0;
    }
    h->slices = slices_count(h->base, lines);
}

/* The addresses of the blocks in a state; the caller frees them. */
static uint64_t *addresses_in(const struct solver *s, enum block_state state, size_t *count)
{
    uint64_t *addresses = allocate(solver_count(s, state), sizeof *addresses);
    *count = 0;
    for (size_t i = 0; i < s->maps->count; i++)
        if (s->state[i] == state)
            addresses[(*count)++] = s->maps->address[i];
    return addresses;
}

void solver_describe(struct solver *s, struct slice_solution *solution, unsigned top_bit)
{
    struct slice_hash *h = &solution->hash;
    h->index_bits = s->bits;
    while (h->index_bits > 0 && s->symmetry.row[h->index_bits - 1] != 0)
        h->index_bits--;
    for (unsigned b = 0; b < h->index_bits; b++)
        solution->symmetries += s->symmetry.row[b] != 0;
    h->top_bit = top_bit_of(s->maps) > top_bit ? top_bit_of(s->maps) : top_bit;
    h->paddr_bits = s->maps->paddr_bits < ADDRESS_BITS_MAX ? s->maps->paddr_bits : 0;
    set_inner_columns(s, h);
    set_base(s, solution, s->addressed ? set_outer_columns(s, solution) : 0);
    solution->blocks = solver_count(s, BLOCK_ALIGNED);
    if (s->addressed) {
        size_t blocks[64];
        solution->unchecked = mask_unchecked(s, blocks);
        for (size_t k = 0; k < solution->unchecked; k++)
            solution->unchecked_address[k] = s->maps->address[blocks[k]];
    }
    solution->spare = s->addressed ? solution->blocks - s->masks.space.size : 0;
    solution->wrong = s->wrong;
}

void solver_name_blocks(const struct solver *s, struct slice_solution *solution)
{
    solution->unlike_address = addresses_in(s, BLOCK_UNLIKE, &solution->unlike);
    solution->mislabelled_address = addresses_in(s, BLOCK_MISLABELLED, &solution->mislabelled);
    solution->suspect_address = addresses_in(s, BLOCK_SUSPECT, &solution->suspect);
}
