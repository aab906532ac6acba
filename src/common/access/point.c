/* point.c: the rows of the points and samples tables: their names, and writing them; point_read.c
 * reads them. */
#include "access/point.h"
#include "access/kernel.h"
#include "access/layout.h"
#include "base/error.h"
#include <string.h>

/* ---- names ---- */

static const char *const role_names[] = {"sweep", "refine", "comparison"};
static const char *const chain_names[] = {"random-box", "same-random-in-box", "diff-random-in-box"};

static int find_name(const char *const *names, int count, const char *text, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return i;
    return -1;
}

const char *role_name(enum role role)
{
    return role_names[role];
}

int role_find(const char *text, size_t length)
{
    return find_name(role_names, 3, text, length);
}

const char *chain_mode_name(enum chain_mode mode)
{
    return chain_names[mode];
}

int chain_mode_find(const char *text, size_t length)
{
    return find_name(chain_names, 3, text, length);
}

double point_span(const struct point *point)
{
    return (double)point->pages * (double)point->spacing;
}

void points_append(struct points *points, const struct point *point)
{
    if (points->count == points->room) {
        points->room = points->room > 0 ? 2 * points->room : 256;
        points->at = reallocate(points->at, points->room, sizeof *points->at);
    }
    points->at[points->count++] = *point;
}

/* ---- writing ---- */

#define POINT_HEADER "pages\tlayout\tspacing_bytes\tpage_bytes\trole\tsample\tkernel\tbacking"

#define CHAINS_HEADER "\tchains"
#define SET_HEADER    "\ttargets\tothers"

/* What a point has in either table. */
static void begin_header(char header[256], struct sample_columns columns)
{
    strcpy(header, POINT_HEADER);
    strcat(header, columns.chains ? CHAINS_HEADER : "");
    strcat(header, columns.set ? SET_HEADER : "");
}

void points_header(struct sample_columns columns)
{
    char header[256];
    begin_header(header, columns);
    table_put_header(header);
}

static void put_count_or_none(uint64_t count, bool some, char after)
{
    if (some)
        put_count(count, after);
    else
        put_text(NULL, after);
}

static void write_point(const struct point *p, bool chains, bool set, char after)
{
    put_count(p->pages, '\t');
    put_text(p->layout->name, '\t');
    put_count(p->spacing, '\t');
    put_count(p->page_bytes, '\t');
    put_text(role_name(p->role), '\t');
    put_count(p->sample, '\t');
    put_text(p->kernel->name, '\t');
    put_text(p->backing->name, chains || set ? '\t' : after);
    if (chains)
        put_count(p->chains > 1 ? p->chains : 1, set ? '\t' : after);
    if (!set)
        return;
    put_count_or_none(p->targets, p->targets > 0, '\t');
    put_count_or_none(p->others, p->targets > 0, after);
}

void points_write(const struct point *point, struct sample_columns columns)
{
    write_point(point, columns.chains, columns.set, '\n');
}

void samples_header(struct sample_columns columns)
{
    char header[256];
    begin_header(header, columns);
    strcat(header, "\tns\tloads\trun_s\tt_s");
    strcat(header, columns.counted ? "\tfaults\tswitches\tmigrations" : "");
    strcat(header, columns.lab ? "\trefs\tproc_s\tsum" : "");
    strcat(header, columns.backed ? "\tbacked" : "");
    strcat(header, columns.locked ? "\tlocked" : "");
    table_put_header(header);
}

/* What stands behind a field, when `left` more are to come. */
static char behind(int *left)
{
    return (*left)-- > 0 ? '\t' : '\n';
}

/* The row goes out at once: what was measured is on disk before the next sample starts. */
void samples_write(const struct sample *s, struct sample_columns columns)
{
    write_point(&s->point, columns.chains, columns.set, '\t');
    put_number(s->ns, '\t');
    put_number(s->loads, '\t');
    put_number(s->run_s, '\t');
    int left = 3 * columns.counted + 3 * columns.lab + columns.backed + columns.locked;
    put_number(s->t_s, behind(&left));
    if (columns.counted) {
        put_number(s->faults, behind(&left));
        put_number(s->switches, behind(&left));
        put_number(s->migrations, behind(&left));
    }
    if (columns.lab) {
        put_number(s->refs, behind(&left));
        put_number(s->proc_s, behind(&left));
        put_number(s->sum, behind(&left));
    }
    if (columns.backed)
        put_text(s->backed, behind(&left));
    if (columns.locked)
        put_text(s->locked, behind(&left));
    flush_output();
}
