/* test_watch.c: the budget of a watch, with simulated time.
 *
 *     bin/.obj/plain/tests/trace/test_watch
 */
#include "base/error.h"
#include "tap.h"
#include "trace/saving/watch.h"
#include <stdio.h>
#include <string.h>

/* A chase takes 5 ms of processor time; the clock goes on only while it waits, and once by a day.
 */
static struct {
    double now, cpu, sleeps_at;
    int chases;
} host;

static double now_s(void *self)
{
    (void)self;
    return host.now;
}

static double cpu_s(void *self)
{
    (void)self;
    return host.cpu;
}

static void wait_s(void *self, double seconds)
{
    (void)self;
    host.now += seconds;
    if (host.sleeps_at > 0 && host.now > host.sleeps_at) {
        host.now += 86400;
        host.sleeps_at = 0;
    }
}

static double chase_ns(void *self, int size, bool packed)
{
    (void)self;
    host.cpu += 0.005;
    host.chases++;
    return packed ? 4 : 10 + 20 * size;
}

static void watch_for(uint64_t periods)
{
    const struct watch_parts parts = {NULL, now_s, cpu_s, wait_s, chase_ns};
    const struct watch_options options = {60, 1.0 / 3600, periods};
    watch_run(&parts, &options);
}

static void a_day(void)
{
    host.cpu = 0.03; /* the program's start */
    watch_for(24 * 60);
    fflush(stdout);
    fprintf(stderr, "cpu %.6f of %.6f\n", host.cpu, host.now / 3600);
}

/* Two sizes of two chases each are 20 ms a minute, and 16.7 ms are allowed. */
TEST(uses_the_budget_and_no_more)
{
    static char output[1 << 20];
    double used = 0, allowed = 0;
    CU_ASSERT_EQUAL(tap_fork(a_day, "", output, sizeof output), 0);
    const char *last = strstr(output, "cpu ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    CU_ASSERT_EQUAL(sscanf(last, "cpu %lf of %lf", &used, &allowed), 2);
    CU_ASSERT(used <= allowed + 1.0 / 60 + 1e-6);
    CU_ASSERT(used > 0.98 * allowed);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n60\t1024\t10\t4\t6\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\t8192\t30\t4\t26\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\t8192\t-\t-\t-\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n86340\t8192\t"));
}

static void a_night(void)
{
    host.sleeps_at = 130;
    watch_for(1444);
}

/* The periods in which the host slept have no rows. */
TEST(goes_on_after_a_sleep_of_the_host)
{
    char output[4096];
    CU_ASSERT_EQUAL(tap_fork(a_night, "", output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n120\t8192\t"));
    CU_ASSERT_PTR_NULL(strstr(output, "\n180\t"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\n86580\t1024\t10\t4\t6\t"));
}
