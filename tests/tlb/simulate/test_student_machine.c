/* test_student_machine.c: machines from a name and a secret: repeated, apart from each other, in
 * range.
 *
 *     bin/.obj/plain/tests/tlb/simulate/test_student_machine
 */
#include "tap.h"
#include "tlb/simulate/student_machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char secret[] = "a secret of twenty-six byte";

static struct model machine(const char *id, uint64_t *seed)
{
    struct model model;
    student_machine_draw(&model, seed, secret, sizeof secret - 1, id);
    return model;
}

static const struct assoc_shape *tlb(const struct model *model, int level)
{
    return &model->dtlb.at[level - 1].shape;
}

static bool alike(const struct model *a, const struct model *b)
{
    return tlb(a, 1)->entries == tlb(b, 1)->entries && tlb(a, 2)->entries == tlb(b, 2)->entries &&
           a->dtlb.at[1].ns == b->dtlb.at[1].ns && a->walk_ns == b->walk_ns;
}

/* Test case 2 of RFC 4231: the seed is the third quarter of the hash. */
TEST(hash_of_RFC_4231)
{
    struct model model;
    uint64_t seed;
    student_machine_draw(&model, &seed, "Jefe", 4, "what do ya want for nothing?");
    CU_ASSERT_EQUAL(seed, 0x5a003f089d273983);
}

TEST(a_student_has_the_same_machine_again)
{
    uint64_t seed, again, other;
    struct model anna = machine("anna", &seed), same = machine("anna", &again);
    CU_ASSERT(alike(&anna, &same));
    CU_ASSERT_EQUAL(seed, again);
    student_machine_draw(&same, &other, "another secret, as long", 23, "anna");
    CU_ASSERT_NOT_EQUAL(seed, other);
    CU_ASSERT_FALSE(alike(&anna, &same));
}

/* Nobody should have his neighbour's machine, nor guess his own by the most frequent one. */
TEST(apart_from_each_other)
{
    enum { STUDENTS = 200 };
    static struct model all[STUDENTS];
    int same = 0;
    for (int i = 0; i < STUDENTS; i++) {
        char id[16];
        uint64_t seed;
        snprintf(id, sizeof id, "student%d", i);
        all[i] = machine(id, &seed);
        for (int k = 0; k < i; k++)
            same += alike(&all[i], &all[k]);
    }
    CU_ASSERT(same < STUDENTS / 10);
}

static void check_ranges(const struct model *m)
{
    const struct assoc_shape *first = tlb(m, 1), *second = tlb(m, 2);
    CU_ASSERT(first->entries >= 32 && first->entries <= 128);
    CU_ASSERT(first->ways == first->entries || first->ways == 4);
    CU_ASSERT(second->entries >= 512 && second->entries <= 4096);
    CU_ASSERT(second->entries >= 8 * first->entries && second->entries % second->ways == 0);
    CU_ASSERT(second->fold == 0 ||
              (first->entries <= 64 && second->entries / second->ways == 1u << second->fold));
    CU_ASSERT(m->dtlb.at[1].ns >= 1.2 && m->dtlb.at[1].ns <= 2.8);
    CU_ASSERT(m->walk_ns >= 6 && m->walk_ns <= 16);
    for (int i = 1; i < m->cache.count; i++) {
        CU_ASSERT(m->cache.at[i].ns > m->cache.at[i - 1].ns);
        CU_ASSERT(m->cache.at[i].shape.entries > m->cache.at[i - 1].shape.entries);
    }
    CU_ASSERT(m->memory_ns > m->cache.at[2].ns);
}

TEST(machines_of_students_keep_to_their_ranges)
{
    int folded = 0, few_ways = 0;
    for (int i = 0; i < 1000; i++) {
        char id[16];
        uint64_t seed;
        snprintf(id, sizeof id, "%d", i);
        struct model m = machine(id, &seed);
        check_ranges(&m);
        folded += tlb(&m, 2)->fold > 0;
        few_ways += tlb(&m, 1)->ways == 4;
    }
    CU_ASSERT(folded > 50 && folded < 500);
    CU_ASSERT(few_ways > 200 && few_ways < 500);
}

/* ---- from a file ---- */

static char path[] = "/tmp/tlblab-secret.XXXXXX";
static const char *wanted_id;

static void read_it(void)
{
    struct model model;
    uint64_t seed;
    student_machine_read(&model, &seed, path, wanted_id);
    exit(0);
}

static int reading(const char *text, const char *id, char *said, size_t room)
{
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
    wanted_id = id;
    return tap_fork(read_it, "", said, room);
}

TEST(secret_from_a_file)
{
    char said[256];
    struct model from_file, from_text;
    uint64_t seed, again;
    int made = mkstemp(path);
    CU_ASSERT_FATAL(made >= 0);
    close(made);
    CU_ASSERT_EQUAL(reading("a secret of twenty-six byte \r\n", "anna", said, sizeof said), 0);
    student_machine_read(&from_file, &seed, path, "anna");
    from_text = machine("anna", &again);
    CU_ASSERT(alike(&from_file, &from_text));
    CU_ASSERT_EQUAL(seed, again);
    CU_ASSERT_EQUAL(reading("fifteen bytes..\n\n", "anna", said, sizeof said), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "can be guessed"));
    CU_ASSERT_EQUAL(reading(secret, "", said, sizeof said), 2);
    CU_ASSERT_EQUAL(reading(secret, "an\tna", said, sizeof said), 2);
    CU_ASSERT_EQUAL(
        reading(secret, "a name of forty-nine bytes, which is one too many", said, sizeof said), 2);
    remove(path);
    wanted_id = "anna";
    CU_ASSERT_TRUE(tap_refuses(read_it, "", "No such file"));
}
