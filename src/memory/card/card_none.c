/* card_none.c: cards in a build without OpenCL. */
#include "base/error.h"
#include "memory/card/card.h"

static _Noreturn void absent(void)
{
    die("built without OpenCL, so it cannot reach a card: install its headers and loader (Debian: "
        "ocl-icd-opencl-dev), then build again");
}

struct card_claims *cards_list(size_t *count)
{
    (void)count;
    absent();
}

/* Unreachable: cards_list() never returns a card. */

struct card *card_open(size_t index)
{
    (void)index;
    absent();
}

void card_close(struct card *card)
{
    (void)card;
}

bool card_reserve(struct card *card, enum card_buffer buffer, uint64_t bytes)
{
    (void)card, (void)buffer, (void)bytes;
    absent();
}

void card_renew(struct card *card, enum card_buffer buffer)
{
    (void)card, (void)buffer;
}

void card_release(struct card *card)
{
    (void)card;
}

void card_put(struct card *card, enum card_buffer buffer, const void *from, uint64_t bytes)
{
    (void)card, (void)buffer, (void)from, (void)bytes;
}

void card_get(struct card *card, enum card_buffer buffer, void *to, uint64_t bytes)
{
    (void)card, (void)buffer, (void)to, (void)bytes;
}

double card_run(struct card *card, const struct card_work *work)
{
    (void)card, (void)work;
    absent();
}

double card_transfer(struct card *card, bool to_device, bool pinned, uint64_t bytes)
{
    (void)card, (void)to_device, (void)pinned, (void)bytes;
    absent();
}
