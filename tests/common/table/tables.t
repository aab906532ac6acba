#!/usr/bin/env bash
# tables.t: what every reader of tables takes and what it refuses, tried on detect; and what becomes
# of output that cannot be written. The table's own unit test is test_table.c.
# shellcheck disable=SC2016 # sh -c and awk have variables of their own
. "${0%/*}/../../tap.sh"
sanitizers_suffice

data=$ROOT/tests/data
zen4=$ROOT/src/tlb/models/zen4.tsv

# from COMMAND...: runs detect on what the command prints.
from() { "$@" | detect; }

# bad NAME REGEX TEXT: detect refuses the text (for printf) with a message that matches.
bad() {
    exits_saying 2 "tables: $1: the table is refused" "$2" from printf "$3"
    same "tables: $1: a refused table gives nothing on stdout" '' "$(cat "$TMP/out")"
}

# Few samples, since detect reads them some sixty times.
plan --pages 16,4k --samples 3 --seed 1 | simulate "$zen4" - >"$TMP/zen 4.tsv"
exits 0 'tables: a simulated sweep gives an answer' detect "$TMP/zen 4.tsv"
rows "$TMP/out" >"$TMP/wanted"
same 'tables: a simulated sweep has two TLB levels' "dtlb${tab}1 dtlb${tab}2" \
    "$(grep '^dtlb' "$TMP/wanted" | cut -f 1,2 | paste -s -d ' ' -)"

# verdict NAME FILE...: the same rows as from the sweep as it was written.
verdict() {
    local name=$1
    shift
    exits 0 "tables: $name: the table is read" detect "$@"
    same "tables: $name: the answer is the same" "$(cat "$TMP/wanted")" "$(rows "$TMP/out")"
}

# ---- generous reading ----

awk -F '\t' -v OFS='\t' '
    /^#/ { print; next }
    { for (i = NF; i > 0; i--) printf "%s\t", $i; print seen++ ? "?" : "new" }' \
    "$TMP/zen 4.tsv" >"$TMP/turned.tsv"
verdict 'columns in another order, and a new one' "$TMP/turned.tsv"
sed "s/$tab/ $tab  /g; s/^\\([0-9]\\)/  \\1/" "$TMP/zen 4.tsv" >"$TMP/blanks.tsv"
verdict 'blanks round the fields' "$TMP/blanks.tsv"
sed 's/^pages/#pages/' "$TMP/zen 4.tsv" >"$TMP/hidden.tsv"
verdict 'a header behind #' "$TMP/hidden.tsv"
sed "s/\$/$(printf '\r')/" "$TMP/zen 4.tsv" >"$TMP/crlf.tsv"
verdict 'lines that end with CR LF' "$TMP/crlf.tsv"
{ printf '\357\273\277' && cat "$TMP/zen 4.tsv"; } >"$TMP/mark.tsv"
verdict 'a byte order mark' "$TMP/mark.tsv"
sed G "$TMP/zen 4.tsv" >"$TMP/empty-lines.tsv"
verdict 'empty lines' "$TMP/empty-lines.tsv"
grep -v '^#' "$TMP/zen 4.tsv" | cut -f 1-4,6,9 >"$TMP/bare.tsv"
verdict 'no metadata and few columns' "$TMP/bare.tsv"
verdict 'stdin' - <"$TMP/zen 4.tsv"
verdict 'stdin where no file is named' <"$TMP/zen 4.tsv"
awk -F '\t' -v OFS='\t' '/^[0-9]/ { print; $9 = "-"; print; $9 = 99; $1 = "-" } { print }' \
    "$TMP/zen 4.tsv" >"$TMP/unmeasured.tsv"
verdict 'rows that were not measured' "$TMP/unmeasured.tsv"
for seed in 1 2 3; do
    { grep -v '^[0-9]' "$TMP/zen 4.tsv" && rows "$TMP/zen 4.tsv" |
        awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' | sort | cut -f 2-; } \
        >"$TMP/shuffled.tsv"
    verdict "rows in any order (seed $seed)" "$TMP/shuffled.tsv"
done

{ grep -v '^[0-9]' "$TMP/zen 4.tsv" && rows "$TMP/zen 4.tsv" | sed -n 'p;n'; } >"$TMP/odd.tsv"
{ grep -v '^[0-9]' "$TMP/zen 4.tsv" && rows "$TMP/zen 4.tsv" | sed -n 'n;p'; } >"$TMP/even.tsv"
verdict 'several files are united' "$TMP/odd.tsv" "$TMP/even.tsv"
cat "$TMP/odd.tsv" "$TMP/even.tsv" >"$TMP/joined.tsv"
verdict 'tables joined by cat' "$TMP/joined.tsv"
cat "$TMP/turned.tsv" <(grep -v '[0-9]' "$TMP/crlf.tsv") >"$TMP/joined.tsv"
verdict 'with columns in another order' "$TMP/joined.tsv"
cat "$TMP/bare.tsv" <(head -n 1 "$TMP/bare.tsv") >"$TMP/joined.tsv"
verdict 'without metadata' "$TMP/joined.tsv"
cut -f 1-4,6,9 "$TMP/odd.tsv" | grep -v '^#' | cat - "$TMP/even.tsv" >"$TMP/joined.tsv"
verdict 'with metadata from the second on' "$TMP/joined.tsv"

# ---- the printed lab ----

exits 0 "tables: the printed lab's output is read" detect "$data/lab-4k.dat"
same "tables: the printed lab's output shows rises, of a TLB or a cache" "dtlb${tab}-${tab}-${tab}16${tab}64
dtlb${tab}-${tab}-${tab}256${tab}1024" "$(rows "$TMP/out" | cut -f 1-5)"
matches "tables: the printed lab's metadata are copied" '^# page size: 4096 bytes$' "$TMP/out"
exits 1 "tables: a lab's header without rows gives status 1" detect --quiet --method segment "$data/lab-64.dat"
printf '# page size = 64 bytes\n#pages\t proc\t sum\n4\t 0.1\t 1\n8\t 0.' >"$TMP/cut.dat"
exits 1 "tables: a lab's table that is cut is still read" detect "$TMP/cut.dat"
matches "tables: a lab's last line that is cut is dropped" 'cut.dat:4: the last line has no newline and was dropped' "$TMP/err"

# ---- partial answers ----

printf %s "$(cat "$TMP/zen 4.tsv")" >"$TMP/cut.tsv"
exits 1 'tables: a last line without newline gives status 1' detect "$TMP/cut.tsv"
matches 'tables: a last line without newline is dropped with a warning' "cut.tsv:[0-9]+: the last line has no newline" "$TMP/err"
same 'tables: a last line without newline leaves the answer of the rest' "$(grep dtlb "$TMP/wanted" | cut -f 1-3)" "$(rows "$TMP/out" | grep dtlb | cut -f 1-3)"
exits 1 'tables: a header without rows gives status 1' from printf 'pages\tns\n'
matches 'tables: a header without rows gives a header' "^structure${tab}level${tab}entries${tab}" "$TMP/out"
matches 'tables: a header without rows is reported' 'detect: the input has no measured rows' "$TMP/err"
exits_saying 1 'tables: rows without a time give status 1' 'no measured rows' from printf 'pages\tns\n4\t-\n8\t-\n'
exits 1 'tables: a flat curve gives status 1' from printf 'pages\tns\n4\t1\n8\t1\n16\t1\n32\t1\n64\t1\n'
matches 'tables: a flat curve is reported with likely causes' 'detect: nothing detected. Likely causes: ' "$TMP/err"
same 'tables: a flat curve gives no row' '' "$(rows "$TMP/out")"

# ---- bad data ----

bad 'no column pages' "^detect: -:1: no column 'pages' in the header\$" 'sizes\tns\n4\t1\n'
bad 'no column ns' "^detect: -:1: no column 'ns' in the header\$" 'pages\ttime\n'
bad 'no tabs' 'no header line, since it has no tab between columns .*tlblab import' 'pages,ns\n4,1\n'
bad 'a negative time' "^detect: -:2: column 'ns': a time cannot be negative\$" 'pages\tns\n4\t-1\n'
bad 'a text column where it is not known' "-:2: column 'layout': unknown layout 'pages'" \
    'pages\tlayout\tns\n4\tpages\t1\n'
exits_saying 2 'tables: an empty file name is refused' "^detect: a file name is empty; '-' is stdin\$" detect ''
printf 'pages\tns\n4\tx\n' >"$TMP/bad.tsv"
exits 2 'tables: bad data in the second of two files are refused' detect "$TMP/zen 4.tsv" "$TMP/bad.tsv"
matches 'tables: bad data in the second of two files are named with their line' "bad.tsv:2: column 'ns'" "$TMP/err"

# ---- hostile ----

# survives NAME TEXT: detect answers, whatever it says.
survives() {
    local status=0
    from printf "$2" >"$TMP/out" 2>"$TMP/err" || status=$?
    check "tables: $1: an answer is given, or none is found" test "$status" -le 1
    matches "tables: $1: the output is a table" "^structure${tab}level" "$TMP/out"
    lacks "tables: $1: the output has no infinities" "${tab}-?(inf|nan)" "$TMP/out"
}
survives 'huge times' 'pages\tns\n4\t1e300\n8\t1e300\n16\t1e308\n32\t1e308\n64\t1e308\n'
survives 'huge sizes' 'pages\tns\n9223372036854775808\t1\n4611686018427387904\t1\n2\t1\n'
survives 'zeros' 'pages\tns\n4\t0\n8\t0\n16\t0\n32\t0\n64\t0\n'
survives 'one row' 'pages\tns\n4\t1\n'
survives 'one size' 'pages\tns\n4\t1\n4\t2\n4\t3\n'
survives 'numbers of samples that repeat' \
    'pages\tlayout\tsample\tns\n4\tpage\t7\t1\n4\tpage\t7\t2\n4\tpacked\t7\t1\n8\tpacked\t7\t1\n'
head -c 300000 /dev/zero >"$TMP/zeros"
exits 2 'tables: nothing but NUL bytes is refused' detect "$TMP/zeros"
head -c 200000 /dev/urandom >"$TMP/random" 2>/dev/null || echo x >"$TMP/random"
exits 2 'tables: random bytes are refused' detect "$TMP/random"

rows "$TMP/zen 4.tsv" >"$TMP/some"
{
    grep -v '^[0-9]' "$TMP/zen 4.tsv"
    awk -v rows="$([ "$VARIANT" = asan ] && echo 75000 || echo 750000)" '
        { line[NR] = $0 } END { for (i = 0; i < rows; i++) print line[i % NR + 1] }' "$TMP/some"
} >"$TMP/many.tsv"
if [ "$VARIANT" != asan ] && [ -z "${RUN-}" ] && (ulimit -v 90000) 2>/dev/null; then
    exits 0 'tables: three quarters of a million rows are read in little memory' \
        sh -c 'ulimit -v 90000 && exec detect "$1"' sh "$TMP/many.tsv"
else
    exits 0 'tables: many rows are read' detect "$TMP/many.tsv"
fi
same 'tables: many rows give the same levels' "$(grep '^dtlb' "$TMP/wanted" | cut -f 1-3)" \
    "$(rows "$TMP/out" | grep '^dtlb' | cut -f 1-3)"

# ---- output that cannot be written ----

if [ -w /dev/full ]; then
    for command in 'detect "$1"' 'detect --help' 'detect --version' 'simulate "$2"' 'chase --help' \
        'plan --pages 4,8' 'sweep --version'; do
        exits_saying 2 "tables: $command on a full disk gives status 2" '^[a-z]+: cannot write the output: No space left' \
            sh -c "exec $command >/dev/full" sh "$TMP/zen 4.tsv" "$zen4"
    done
else
    skip 'tables: a full disk gives status 2' 'no /dev/full here'
fi
exits 2 'tables: a closed stdout gives status 2' sh -c 'exec detect "$1" >&-' sh "$TMP/zen 4.tsv"
matches 'tables: a closed stdout is named as an error' 'detect: cannot write the output' "$TMP/err"

# quiet_in_pipe NAME COMMAND: ends by SIGPIPE (or before it came), without a word.
quiet_in_pipe() {
    local status
    status=$(
        bash -c "$2 | head -n 1 >/dev/null; echo \${PIPESTATUS[0]}" 2>"$TMP/err"
    )
    case $status in
    0 | 141) pass "tables: $1: it ends by SIGPIPE or before" ;;
    *) fail "tables: $1: it ends by SIGPIPE or before" && echo "# status $status" ;;
    esac
    same "tables: $1: it writes nothing to stderr" '' "$(cat "$TMP/err")"
}
quiet_in_pipe 'simulate | head' "simulate --seed 1 '$zen4'"
quiet_in_pipe 'plan | head' 'plan --pages 4,16384'
exits 0 'tables: a closed pipe is no error where SIGPIPE is ignored' bash -c "trap '' PIPE
    { simulate --seed 1 '$zen4'; echo \$? >'$TMP/status'; } | sed -n 1q"
same 'tables: a closed pipe causes no message where SIGPIPE is ignored' '' "$(cat "$TMP/err")"
finish_tests
