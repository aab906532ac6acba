/* test_organisation.c: from made-up machines to the rows of the organisation table, through all
 * stages of the plan.
 *
 *     bin/.obj/plain/unit/test_organisation
 */
#include "truth.h"
#include <stdio.h>
static void show(const char *name, const struct truth *t)
{
    struct plan_options o = truth_plan();
    struct organisation rows[PROFILE_LEVELS];
    size_t n = truth_tell(t, &o, rows);
    printf("%s: %zu\n", name, n);
    for (size_t i = 0; i < n; i++)
        printf("  %d %g %g %g %s [%s] %s %s %s %s\n", rows[i].level, rows[i].entries, rows[i].ways, rows[i].sets, rows[i].index, rows[i].index_bits, rows[i].replacement, rows[i].relation, confidence_name(rows[i].confidence), rows[i].note);
}
static void x(void) {
#define L(w,s,f) {w,s,f}
struct { const char *n; struct truth t; } all[] = {
 {"lin", {{L(4,16,0),L(12,128,0)},0,0}},
 {"full lin", {{L(72,1,0),L(24,128,0)},0,0}},
 {"xor7", {{L(4,16,0),L(12,128,7)},0,0}},
 {"full xor7", {{L(64,1,0),L(16,128,7)},0,0}},
 {"full full", {{L(64,1,0),L(1024,1,0)},0,0}},
 {"excl full", {{L(72,1,0),L(24,128,0)},RELATION_EXCLUSIVE,0}},
 {"excl lin", {{L(4,16,0),L(12,128,0)},RELATION_EXCLUSIVE,0}},
 {"excl xor", {{L(64,1,0),L(16,128,7)},RELATION_EXCLUSIVE,0}},
 {"incl full", {{L(72,1,0),L(24,128,0)},RELATION_INCLUSIVE,0}},
 {"incl lin", {{L(4,16,0),L(12,128,0)},RELATION_INCLUSIVE,0}},
 {"incl xor", {{L(64,1,0),L(16,128,7)},RELATION_INCLUSIVE,0}},
 {"one lin", {{L(4,16,0)},0,0}},
 {"one full", {{L(64,1,0)},0,0}},
 {"none", {{L(0,0,0)},0,0}},
};
for (size_t i=0;i<sizeof all/sizeof*all;i++) { show(all[i].n,&all[i].t); all[i].t.noise=.03; show(" noise",&all[i].t);}
}
int main(void)
{
    TAP_SUITE("organisation", {"x", x});
    return tap_run();
}
