#!/usr/bin/env bash
# ladder.t: the competition of the lab course: who takes part, who is out and why, and what is printed.
# Its times are not tested.
. "${0%/*}/../tap.sh"

plain_linux_alone
rank=$ROOT/labs/lib/ladder/rank
exits 2 'ladder: a folder without a program is refused' "$rank" "$TMP"
exits 2 'ladder: a number of rounds in words is refused' "$rank" --rounds many
[ -n "${LONG-}" ] || { skip 'ladder: programs are ranked' 'it takes long: scripts/test --all' && finish_tests; }

export QUICK=yes
enter() { mkdir -p "$TMP/in/$1" && cat >"$TMP/in/$1/solution.c"; }
cp "$ROOT/labs/lib/ladder/starter.c" "$TMP/right.c"
enter anna <"$TMP/right.c"
enter '=1+1' <"$TMP/right.c"
enter ben/ladder <"$TMP/right.c"
sed 's/sum += found->value/sum += found->value + 1/' "$TMP/right.c" | enter wrong
sed 's/found != NULL/found != NULL \&\& k % 10000/' "$TMP/right.c" | enter hasty
echo 'int main(void) { for (;;); }' | enter endless
echo 'int main(void) {' | enter broken
enter crash <<'C'
#include <stdlib.h>
int main(void) { abort(); }
C
enter liar <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    char path[99];
    snprintf(path, sizeof path, "/proc/%d/fd/1", (int)getppid());
    FILE *file = fopen(path, "w");
    if (file != NULL)
        fprintf(file, "0 0.001 0.000 0.001 1\n");
    return 0;
}
C
exits 1 'ladder: programs that are out give status 1' "$rank" --rounds 2 --seed 5 "$TMP/in"
grep -v '^#' "$TMP/out" >"$TMP/table"
same 'ladder: right programs have a rank, and a row for each round' "'=1+1 2,anna 2,ben 2,starter 2" \
    "$(awk -F '\t' '$1 ~ /^[0-9]/ { print $2, $6 }' "$TMP/table" | sort | paste -s -d , -)"
same 'ladder: after two rounds nothing is better than chance' 1 "$(awk -F '\t' '$1 ~ /^[0-9]/ { print $1 }' "$TMP/table" | sort -u)"
same 'ladder: wrong programs are out' 'broken crash endless hasty liar wrong' \
    "$(awk -F '\t' '$1 == "-" { print $2 }' "$TMP/table" | sort | paste -s -d ' ' -)"
matches 'ladder: a wrong sum is the reason' '	wrong	.*a wrong sum in round 1$' "$TMP/table"
matches 'ladder: what does not compile is the reason' '	broken	.*does not compile: ' "$TMP/table"
matches 'ladder: the seed is in the table' '^# seed: 5$' "$TMP/out"
finish_tests
