/* line_owner.c: finds the slice that owns a line. */
#include "slices/counters/line_owner.h"
#include <stdio.h>

enum {
    TRIES = 100,     /* [bound] before the first sleep */
    SLEEPS = 10,     /* [bound] at the next one the line is given up */
    UNANSWERED = 5,  /* [significance] tries in which no slice counts */
    SHORTER = 10,    /* [bound] a first try has 1/SHORTER of the loads */
    TRIAL_LINES = 8, /* [bound] on which an event is tried */
    TRIAL_APART = 5, /* [prior] lines between two of them, so their slices differ */
    FIT_TRIES = 3,   /* [bound] with so many slices at once */
    TRIAL_TRIES = 30 /* [bound] tries of each such line */
};

/* Fractions of the loads that slices count. [tuned: Map_Addresses_to_L3_Slices] */
static const double owner_least = 0.95; /* at the owner, and at no other */
static const double fewest_below = 0.2; /* at the slice with the lowest count */
static const double others_below = 0.4; /* the mean of all except the owner */

/* If the owner counts each load and little more, and no other slice comes near, a line needs no
 * second try. [significance] */
static const double clear_of = 0.1;
static const double lookups_most = 1.5; /* [prior] per load, counting only lookups */

int owner_of_counts(const uint64_t *counts, unsigned slices, uint64_t loads, bool *sure)
{
    uint64_t most = 0, next = 0, least = UINT64_MAX, sum = 0;
    unsigned high = 0;
    int owner = 0;
    double n = (double)loads;
    for (unsigned i = 0; i < slices; i++) {
        sum += counts[i];
        least = counts[i] < least ? counts[i] : least;
        high += (double)counts[i] >= owner_least * n;
        if (counts[i] > most) {
            next = most;
            most = counts[i];
            owner = (int)i;
        } else if (counts[i] > next)
            next = counts[i];
    }
    double others = (double)(sum - most) / slices;
    *sure = (double)next < clear_of * n && (double)most < (1 + clear_of) * n && most >= loads;
    return (double)most > owner_least * n && (slices == 1 || (double)least < fewest_below * n) &&
                   others < others_below * n && high == 1
               ? owner
               : SLICE_MISSING;
}

/* The lookups of `loads` loads at each slice, and their sum; false if not all were counted.
 */
static bool count_loads(const struct uncore *u, size_t offset, uint64_t loads, uint64_t *counts,
                        uint64_t *sum)
{
    uint64_t before[SLICES_MAX] = {0};
    char why[PLATFORM_WHY_ROOM];
    bool whole = true;
    *sum = 0;
    for (unsigned first = 0, last; first < u->slices; first = last + 1) {
        last = (u->slices - first < u->at_once ? u->slices : first + u->at_once) - 1;
        whole = u->choose(u->context, u->candidate, first, last, why) &&
                u->read(u->context, first, last, before) && whole;
        u->load(u->context, offset, loads);
        whole = u->read(u->context, first, last, counts) && whole;
        for (unsigned i = first; i <= last; i++) {
            counts[i] -= before[i];
            *sum += counts[i];
        }
    }
    return whole;
}

/* One try; sets *answered if any slice counted. */
static struct owner try_line(const struct uncore *u, size_t offset, uint64_t loads, bool *sure,
                             bool *answered)
{
    uint64_t counts[SLICES_MAX] = {0}, sum;
    struct owner owner = {.slice = SLICE_MISSING};
    bool whole = count_loads(u, offset, loads, counts, &sum);
    *answered = !whole || 2 * sum >= loads;
    *sure = false;
    if (whole)
        owner.slice = owner_of_counts(counts, u->slices, loads, sure);
    if (owner.slice >= 0) {
        owner.count = counts[owner.slice];
        owner.share = (double)owner.count / (double)loads;
    }
    return owner;
}

struct owner line_owner(const struct uncore *u, size_t offset, uint64_t loads)
{
    bool sure, answered;
    unsigned unanswered = 0;
    struct owner owner = {.slice = SLICE_MISSING};
    if (loads >= SHORTER)
        owner = try_line(u, offset, loads / SHORTER, &sure, &answered);
    if (owner.slice >= 0 && sure)
        return owner;
    for (unsigned k = 0; k < TRIES + SLEEPS; k++) {
        if (k >= TRIES)
            u->sleep(u->context);
        owner = try_line(u, offset, loads, &sure, &answered);
        unanswered = answered ? 0 : unanswered + 1;
        if (owner.slice >= 0 || unanswered == UNANSWERED)
            break;
    }
    return owner;
}

/* Counts as many slices at once as count all the time; false where not even one does. */
static bool fit_counters(struct uncore *u, uint64_t loads)
{
    uint64_t counts[SLICES_MAX] = {0}, sum;
    for (u->at_once = u->slices; u->at_once > 0; u->at_once /= 2)
        for (int again = 0; again < FIT_TRIES; again++)
            if (count_loads(u, 0, loads, counts, &sum))
                return true;
    return false;
}

bool choose_event(struct uncore *u, uint64_t loads, char why[PLATFORM_WHY_ROOM])
{
    char reason[PLATFORM_WHY_ROOM] = "";
    for (u->candidate = 0; u->candidate < u->candidates; u->candidate++) {
        unsigned good = 0;
        double share = 0;
        if (!u->choose(u->context, u->candidate, 0, 0, reason))
            continue;
        if (!fit_counters(u, loads)) {
            snprintf(reason, sizeof reason, "the counters are shared with other programs");
            continue;
        }
        for (size_t k = 0; k < TRIAL_LINES; k++) {
            bool sure, answered;
            struct owner owner = {.slice = SLICE_MISSING};
            for (int again = 0; again < TRIAL_TRIES && owner.slice < 0; again++)
                owner = try_line(u, k * TRIAL_APART << LINE_BITS, loads, &sure, &answered);
            good += owner.slice >= 0 && owner.share < lookups_most;
            share += owner.share / TRIAL_LINES;
        }
        if (2 * good > TRIAL_LINES) {
            snprintf(why, PLATFORM_WHY_ROOM,
                     "one slice counted %.2f lookups per load, on %u of %d lines; event %u of %u",
                     share, good, TRIAL_LINES, u->candidate + 1, u->candidates);
            return true;
        }
    }
    snprintf(why, PLATFORM_WHY_ROOM,
             "no event counts about one lookup per load at one slice%s%.150s",
             *reason != '\0' ? ": " : "", reason);
    return false;
}
