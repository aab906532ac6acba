#!/usr/bin/env bash
# geometry.t: what geometry makes of simulated machines, whose truth is known, and of samples that
# cannot tell; the loop of sweep --preset geometry by hand. Formulas are looked at in
# test_organisation.c.
# shellcheck disable=SC2016 # awk and bash -c have variables of their own
. "${0%/*}/../../tap.sh"

long_with_sanitizers

models=$ROOT/src/tlb/models
seven=0^7,1^8,2^9,3^10,4^11,5^12,6^13
header="structure${tab}level${tab}entries${tab}ways${tab}sets${tab}index${tab}index_bits"
header+="${tab}replacement${tab}relation${tab}confidence${tab}note"

head_of() { grep -v '^#' "$1" | head -n 1; }
# The answer without structure, replacement, confidence and note.
answer() { rows "$1" | cut -f 2-7,9 | tr '\t' ' '; }

# measure MODEL NOISE SEED: samples of a simulated machine, in "$TMP/MODEL.tsv".
measure() {
    simulate --preset geometry --seed "$3" --noise "spikes:$2" "$models/$1.tsv" >"$TMP/$1.tsv"
}

# exact MODEL NOISE SEED ANSWER: nothing but the truth, and not as a guess.
exact() {
    measure "$1" "$2" "$3"
    exits 0 "geometry: $1, noise $2 %: an answer is given" geometry "$TMP/$1.tsv"
    same "geometry: $1, noise $2 %: the answer is right" "$4" "$(answer "$TMP/out")"
    lacks "geometry: $1, noise $2 %: no level is a guess" "${tab}low${tab}" "$TMP/out"
}

# Prints what is wrong in an answer on stdin: TRUTH is a line for each level (entries, ways, sets, index,
# index bits, replacement, relation). `-` and `unknown` are never wrong, and nothing is where the
# confidence is low; entries that ways and sets do not confirm may be off by an eighth.
wrong() {
    awk -F '\t' -v truth="$1" '
        BEGIN { split(truth, line, "\n") }
        $10 == "low" { next }
        {
            split(line[$2], true, " ")
            off = $3 / true[1] - 1
            if (off != 0 && ($4 != "-" || off * off > 1 / 64)) print "level " $2 ": entries " $3
            for (i = 4; i <= 9; i++)
                if ($i != true[i - 2] && $i != "-" && $i != "unknown") print "level " $2 ": " $i
        }'
}

# honest MODEL NOISE SEED TRUTH: whatever it says is right, and it says something.
honest() {
    measure "$1" "$2" "$3"
    exits 0 "geometry: $1, noise $2 %: an answer is given" geometry "$TMP/$1.tsv"
    same "geometry: $1, noise $2 %: every level is right or unknown" '' "$(rows "$TMP/out" | wrong "$4")"
}

# ---- known machines ----

exact zen4 3 1 '1 72 72 1 full - -
2 3072 12 256 linear 0,1,2,3,4,5,6,9 neither'
cp "$TMP/out" "$TMP/zen4.answer"
same 'geometry: zen4, noise 3 %: both levels have high confidence' high "$(rows "$TMP/out" | cut -f 10 | sort -u)"
same 'geometry: the header has the agreed columns' "$header" "$(head_of "$TMP/out")"
# skylake-client-xor7, whose second level is folded, is the example of the man page (manpages.t).
# Both levels take the lowest bits: what they have to do with each other does not show.
exact skylake-sp 0 1 '1 64 4 16 linear 0,1,2,3 -
2 1536 12 128 linear 0,1,2,3,4,5,6 unknown'
if [ -z "${LONG-}" ]; then
    skip 'geometry: machines of other kinds are measured' 'they take half a minute: scripts/test --all'
elif [ "$VARIANT" != asan ]; then # the sanitizers would find nothing new there
    honest exclusive-pair 3 1 '48 48 1 full - lru -
1024 8 128 linear 0,1,2,3,4,5,6 lru exclusive'
    same 'geometry: an exclusive pair is reported as exclusive' exclusive "$(rows "$TMP/out" | sed -n 2p | cut -f 9)"
    honest zen4 3 2 '72 72 1 full - lru -
3072 12 256 linear 0,1,2,3,4,5,6,9 lru neither'
    exact zen4 0 2 '1 72 72 1 full - -
2 3072 12 256 linear 0,1,2,3,4,5,6,9 neither'
    exact zen3 0 1 '1 64 64 1 full - -
2 2048 8 256 linear 0,1,2,3,4,5,6,9 neither'
    exact zen5 0 1 '1 96 96 1 full - -
2 4096 8 512 linear 0,1,2,3,4,5,6,7,9 neither'
    exact zen3 3 2 '1 64 64 1 full - -
2 2048 8 256 linear 0,1,2,3,4,5,6,9 neither'
    exact skylake-client-xor7 0 1 "1 64 4 16 linear 0,1,2,3 -
2 1536 12 128 xor $seven neither"
    exact skylake-client-xor7 3 2 "1 64 4 16 linear 0,1,2,3 -
2 1536 12 128 xor $seven neither"
    exact skylake-sp 3 2 '1 64 4 16 linear 0,1,2,3 -
2 1536 12 128 linear 0,1,2,3,4,5,6 unknown'
    exact fifo-inclusive 0 1 '1 64 64 1 full - -
2 1024 4 256 linear 0,1,2,3,4,5,6,7 inclusive'
    exact pages-64k 0 1 '1 48 48 1 full - -
2 1280 5 256 linear 0,1,2,3,4,5,6,7 neither'
    # Four ways are too few to distinguish a tree from LRU, and twelve do not fill theirs.
    honest tree-plru 0 1 '64 4 16 linear 0,1,2,3 plru -
2048 16 128 linear 0,1,2,3,4,5,6 plru neither'
    same 'geometry: a tree PLRU is reported as plru' plru "$(rows "$TMP/out" | sed -n 2p | cut -f 8)"
    honest xeon-hashed 3 1 '96 6 16 linear 0,1,2,3 lru -
2048 16 128 hashed - lru neither'
    honest neoverse-coalesce 0 1 '48 48 1 full - lru -
1280 5 256 linear 0,1,2,3,4,5,6,7 lru neither'
    honest random-replacement 0 1 '32 32 1 full - random -
512 4 128 linear 0,1,2,3,4,5,6 random neither'
    honest small-first-level 0 1 '16 16 1 full - lru -
1024 8 128 linear 0,1,2,3,4,5,6 lru neither'
fi

# ---- samples without moments, or with few ----

older=$ROOT/tests/machines/amd-epyc-guest/geometry.tsv
exits_saying 1 'geometry: samples of an earlier version give status 1' '^geometry: cannot tell: no moments in the samples \(sweep --preset geometry' \
    geometry "$older"
# Without the strides below a MiB nothing shows whether a bit selects the set.
awk -F '\t' '/^#/ || $3 == "spacing_bytes" || $3 <= 4096 || $3 >= 1048576' "$TMP/zen4.tsv" >"$TMP/cut.tsv"
geometry "$TMP/cut.tsv" >"$TMP/out" 2>"$TMP/err"
same 'geometry: without the strides that decide there are no sets' '3072 - - unknown' \
    "$(rows "$TMP/out" | awk -F '\t' '$2 == 2 { print $3, $4, $5, $6 }')"
# detect reads the same moments.
same 'geometry: entries are those of detect' "$(detect --quiet "$TMP/zen4.tsv" | awk -F '\t' '$1 == "dtlb" { print $2, $3 }')" \
    "$(rows "$TMP/zen4.answer" | awk -F '\t' '{ print $2, $3 }')"

# ---- the loop by hand ----

# An empty table of points is measured first: its metadata give the machine's pages and lines.
# by_hand MODEL: leaves the samples of all rounds, joined, in "$TMP/loop.tsv".
by_hand() {
    local round
    printf 'pages\n' | simulate --seed 1 "$models/$1.tsv" - >"$TMP/loop.tsv" || return
    for ((round = 0; round < 200; round++)); do
        plan --preset geometry "$TMP/loop.tsv" >"$TMP/next.tsv" || return
        [ -n "$(rows "$TMP/next.tsv")" ] || return 0
        simulate "$models/$1.tsv" "$TMP/next.tsv" >"$TMP/measured.tsv" || return
        cat "$TMP/measured.tsv" >>"$TMP/loop.tsv"
    done
    return 1
}
[ -z "${LONG-}" ] || measure skylake-sp 0 1
exits 0 'geometry: the loop by hand ends' by_hand skylake-sp
# Tables of several forms are joined there, so columns are compared by name.
samples() {
    columns 'pages layout spacing_bytes targets others sample ns' "$1"
}
same 'geometry: the loop by hand has measured what simulate measures alone' "$(samples "$TMP/skylake-sp.tsv")" \
    "$(samples "$TMP/loop.tsv")"
same 'geometry: the loop by hand takes no sample twice' '' "$(samples "$TMP/loop.tsv" | cut -f 1-6 | sort | uniq -d)"
geometry "$TMP/skylake-sp.tsv" >"$TMP/alone"
exits 0 'geometry: tables joined by cat are accepted' geometry "$TMP/loop.tsv"
same 'geometry: tables joined by cat give the answer of one table' "$(rows "$TMP/alone")" "$(rows "$TMP/out")"
exits 0 'geometry: tables joined by cat are accepted on stdin' geometry <"$TMP/loop.tsv"
same 'geometry: tables joined by cat give the same answer on stdin' "$(rows "$TMP/alone")" "$(rows "$TMP/out")"
{ grep -v '^[0-9]' "$TMP/skylake-sp.tsv" && rows "$TMP/skylake-sp.tsv" | sort -r; } >"$TMP/sorted.tsv"
exits 0 'geometry: rows in another order are accepted' geometry "$TMP/sorted.tsv"
same 'geometry: rows in another order give the same answer' "$(rows "$TMP/alone")" "$(rows "$TMP/out")"
plan --preset geometry "$TMP/sorted.tsv" >"$TMP/next.tsv"
same 'geometry: rows in another order leave nothing to measure' '' "$(rows "$TMP/next.tsv")"

# ---- cannot tell ----

# silent NAME REASON COMMAND...: the header alone, a reason, status 1.
silent() {
    local name=$1 reason=$2
    shift 2
    exits_saying 1 "geometry: $name gives status 1" "$reason" "$@"
    same "geometry: $name gives a header alone" "$header" "$(grep -v '^#' "$TMP/out")"
}

simulate --seed 1 "$models/skylake-sp.tsv" >"$TMP/tlb.tsv"
silent 'a table of neighbouring pages alone' '^geometry: cannot tell: ' geometry "$TMP/tlb.tsv"
measure no-tlb-knee 0 1
silent 'a machine without a knee' '^geometry: cannot tell: no TLB level' geometry "$TMP/no-tlb-knee.tsv"
grep -v '^[0-9]' "$TMP/skylake-sp.tsv" >"$TMP/header.tsv"
silent 'a table without rows' '^geometry: cannot tell: ' geometry "$TMP/header.tsv"
silent 'a plan without samples' '^geometry: cannot tell: ' geometry "$TMP/header.tsv" - < <(printf 'pages\tns\n4\t-\n')
awk -F '\t' '/^#/ || /^pages/ || $2 == "page"' "$TMP/skylake-sp.tsv" >"$TMP/page.tsv"
silent 'a table without a control curve' '^geometry: cannot tell: ' geometry "$TMP/page.tsv"

# Rows of an unfinished run: anything they do not show is not reported.
total=$(rows "$TMP/skylake-sp.tsv" | grep -c .)
for part in 3 5 7 8 9; do
    { grep -v '^[0-9]' "$TMP/skylake-sp.tsv" && rows "$TMP/skylake-sp.tsv" |
        head -n $((total * part / 10)); } >"$TMP/part.tsv"
    geometry "$TMP/part.tsv" >"$TMP/out" 2>"$TMP/err"
    check "geometry: $part tenths of a run give status 0 or 1" test $? -le 1
    same "geometry: $part tenths of a run are right or unknown" '' "$(rows "$TMP/out" |
        wrong '64 4 16 linear 0,1,2,3 lru -
1536 12 128 linear 0,1,2,3,4,5,6 lru neither')"
done

# ---- what stays open is said as detect says it ----

# Without pages of one set of the second level; and with a busy neighbour.
awk -F '\t' '/^#/ || $10 != 8' "$TMP/skylake-sp.tsv" >"$TMP/open.tsv"
sed '1a # sibling_busy: yes' "$TMP/open.tsv" >"$TMP/busy.tsv"
said() { "$1" --pretty "$2" 2>"$TMP/err" | tr '\n' ' ' | grep -oE 'Second-level data TLB: between [0-9]+ and [0-9]+ entries|[a-z]+ confidence(, since [a-z ]*entries)?' | head -n 3; }
for file in open busy; do
    same "geometry: $file: the range, confidence and reason are those of detect" "$(said detect "$TMP/$file.tsv")" "$(said geometry "$TMP/$file.tsv")"
done
matches 'geometry: that something may have held entries is said, and what to do' 'held entries .*; repeat when idle' "$TMP/err"
matches 'geometry: the reason is in the sentence' 'Second-level.*between.*since another program' <(geometry --quiet --pretty "$TMP/busy.tsv" | tr '\n' ' ')

# ---- groups and claims ----

exits 1 'geometry: --by file with a file without an answer gives status 1' geometry --by file "$TMP/skylake-sp.tsv" "$TMP/tlb.tsv"
matches 'geometry: --by file names the file without an answer' 'tlb.tsv: cannot tell: ' "$TMP/err"
same 'geometry: --by file adds the column file' "$header${tab}file" "$(head_of "$TMP/out")"
same 'geometry: --by file has the name of the file in each row' "$TMP/skylake-sp.tsv" "$(rows "$TMP/out" | cut -f 12 | sort -u)"
same 'geometry: --by file gives the other file its answer' "$(rows "$TMP/alone")" "$(rows "$TMP/out" | cut -f 1-11)"
exits 0 'geometry: --by file of two machines is accepted' geometry --by file "$TMP/zen4.tsv" "$TMP/skylake-sp.tsv"
same 'geometry: --by file gives each machine its answer' "$(rows "$TMP/zen4.answer" | cut -f 1-6 && rows "$TMP/alone" | cut -f 1-6)" \
    "$(rows "$TMP/out" | cut -f 1-6)"
exits 0 'geometry: --claims is accepted' geometry --claims "$TMP/skylake-sp.tsv"
same 'geometry: --claims adds two columns' "$header${tab}claim_entries${tab}claim_ways" "$(head_of "$TMP/out")"
same 'geometry: --claims takes them from the metadata' "64 4
1536 12" "$(rows "$TMP/out" | cut -f 12-13 | tr '\t' ' ')"
grep -v '^# claim' "$TMP/skylake-sp.tsv" >"$TMP/hidden.tsv"
exits 0 'geometry: --claims of a machine that claims nothing is accepted' geometry --claims "$TMP/hidden.tsv"
same 'geometry: --claims of a machine that claims nothing is -' '- -' "$(rows "$TMP/out" | cut -f 12-13 | tr '\t' ' ' | sort -u)"
same 'geometry: --claims changes no answer' "$(rows "$TMP/alone")" "$(rows "$TMP/out" | cut -f 1-11)"
exits 0 'geometry: --claims and --by together are accepted' geometry --claims --by file "$TMP/skylake-sp.tsv"
same 'geometry: --claims and --by put their columns in this order' "claim_entries${tab}claim_ways${tab}file" \
    "$(head_of "$TMP/out" | cut -f 12-)"
matches 'geometry: the metadata are passed on' '^# cpu: simulated ' "$TMP/out"
matches 'geometry: the metadata have the program' '^# program: geometry$' "$TMP/out"

# ---- wrong usage, bad data, readers that go away ----

is_refused 'an unknown option' "geometry: .*--ways" geometry --ways 4 "$TMP/tlb.tsv"
is_refused 'an unknown group' "--by 'page'" geometry --by page "$TMP/tlb.tsv"
is_refused 'no such file' 'nowhere.tsv' geometry "$TMP/nowhere.tsv"
is_refused 'no header' 'geometry: .*' geometry /dev/null
is_refused 'text for a time' "geometry: -:2: column 'ns'" \
    bash -c 'printf "pages\tns\n4\tx\n" | geometry -'
head -c "$(($(wc -c <"$TMP/skylake-sp.tsv") - 20))" "$TMP/skylake-sp.tsv" >"$TMP/cut.tsv"
exits_saying 1 'geometry: a last line that is cut gives status 1' 'the last line has no newline' geometry "$TMP/cut.tsv"
same 'geometry: a last line that is cut leaves the answer of the rest' "$(rows "$TMP/alone" | cut -f 1-7)" "$(rows "$TMP/out" | cut -f 1-7)"

status=$(bash -c 'geometry "$1" | head -n 0; echo "${PIPESTATUS[0]}"' bash "$TMP/skylake-sp.tsv" \
    2>"$TMP/err")
check "geometry: a reader that closes the pipe ends it with status $status" test "$status" -eq 141 -o "$status" -eq 0
same 'geometry: a reader that closes the pipe causes no message' '' "$(cat "$TMP/err")"
if [ -w /dev/full ]; then
    exits 2 'geometry: a full disk gives status 2' bash -c 'exec geometry "$1" >/dev/full' bash "$TMP/skylake-sp.tsv"
    matches 'geometry: a full disk is named as an error' 'geometry: cannot write the output: No space left' "$TMP/err"
else
    skip 'geometry: a full disk gives status 2' 'no /dev/full here'
fi
exits 2 'geometry: a closed stdout gives status 2' bash -c 'exec geometry "$1" >&-' bash "$TMP/skylake-sp.tsv"
matches 'geometry: a closed stdout is named as an error' 'geometry: cannot write the output' "$TMP/err"
finish_tests
