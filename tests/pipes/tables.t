#!/usr/bin/env bash
# tables.t: what every reader of tables takes and what it refuses, tried on detect; and what becomes
# of output that cannot be written. The table's own unit test is tests/unit/test_table.c.
# shellcheck disable=SC2016 # sh -c and awk have variables of their own
. "${0%/*}/tap.sh"

tab=$(printf '\t')
data=$ROOT/tests/data
zen4=$ROOT/tests/models/zen4.tsv

# The rows of a table, without metadata and header.
rows() { grep -v '^#' "$1" | sed 1d; }

# from COMMAND...: runs detect on what the command prints.
from() { "$@" | detect; }

# bad NAME REGEX TEXT: detect refuses the text (for printf) with a message that matches.
bad() {
    exits 2 "$1" from printf "$3"
    matches "$1: says where" "$2" "$TMP/err"
    same "$1: nothing on stdout" '' "$(cat "$TMP/out")"
}

simulate --seed 1 "$zen4" >"$TMP/zen 4.tsv"
exits 0 'a simulated sweep' detect "$TMP/zen 4.tsv"
rows "$TMP/out" >"$TMP/wanted"
same 'has two TLB levels' "dtlb${tab}1 dtlb${tab}2" \
    "$(grep '^dtlb' "$TMP/wanted" | cut -f 1,2 | paste -s -d ' ' -)"

# verdict NAME FILE...: the same rows as from the sweep as it was written.
verdict() {
    local name=$1
    shift
    exits 0 "$name" detect "$@"
    same "$name: the verdict is the same" "$(cat "$TMP/wanted")" "$(rows "$TMP/out")"
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

exits 0 "the lab's own output" detect --meta l1d_bytes=32768 "$data/lab-4k.dat"
same 'is layout line, 4 KiB apart' "dtlb${tab}1${tab}768${tab}512${tab}1024${tab}2097152${tab}4194304" \
    "$(rows "$TMP/out" | cut -f 1-7)"
matches 'its metadata are copied' '^# page size: 4096 bytes$' "$TMP/out"
exits 1 'a header alone is a table' detect "$data/lab-64.dat"
printf '# page size = 64 bytes\n#pages\t proc\t sum\n4\t 0.1\t 1\n8\t 0.' >"$TMP/cut.dat"
exits 1 'cut, it is still read' detect "$TMP/cut.dat"
matches 'the cut line is dropped' 'cut.dat:4: the last line has no newline and was dropped' "$TMP/err"

# ---- partial answers ----

printf %s "$(cat "$TMP/zen 4.tsv")" >"$TMP/cut.tsv"
exits 1 'a last line without newline' detect "$TMP/cut.tsv"
matches 'is dropped with a warning' "cut.tsv:[0-9]+: the last line has no newline" "$TMP/err"
same 'the rest gives its answer' "$(cut -f 1-5 "$TMP/wanted")" "$(rows "$TMP/out" | cut -f 1-5)"
exits 1 'a header alone' from printf 'pages\tns\n'
matches 'gives a header' "^structure${tab}level${tab}entries${tab}" "$TMP/out"
matches 'and says why' 'detect: the input has no measured rows' "$TMP/err"
exits 1 'rows without a time' from printf 'pages\tns\n4\t-\n8\t-\n'
matches 'and says so' 'no measured rows' "$TMP/err"
exits 1 'nothing to be found' from printf 'pages\tns\n4\t1\n8\t1\n16\t1\n32\t1\n64\t1\n'
matches 'names likely causes' 'detect: nothing detected. Likely causes: ' "$TMP/err"
same 'prints no row' '' "$(rows "$TMP/out")"

# ---- bad data ----

bad 'an empty input' '^detect: -: no header line: the input is empty$' ''
bad 'no header' '^detect: -:1: no header line$' '4\t1\n'
bad 'no header but metadata' '^detect: -:2: no header line$' '# a: b\n4\t1\n'
bad 'a cut header' '^detect: -:1: no header line$' 'pages\tns'
bad 'no column pages' "^detect: -: no column 'pages' in the header\$" 'sizes\tns\n4\t1\n'
bad 'no column ns' "^detect: -: no column 'ns' in the header\$" 'pages\ttime\n'
bad 'no tabs' 'in the header, which has no tab between columns$' 'pages,ns\n4,1\n'
bad 'a column that stands twice' "^detect: -:1: column 'ns': it stands twice in the header\$" \
    'pages\tns\tns\n4\t1\t2\n'
bad 'text' "^detect: -:3: column 'ns': 'x1' is not a number\$" 'pages\tns\n4\t1\n8\tx1\n'
bad 'NaN' "^detect: -:2: column 'ns': 'NaN' is not a number\$" 'pages\tns\n4\tNaN\n'
bad 'inf' "^detect: -:2: column 'ns': '-inf' is not a number\$" 'pages\tns\n4\t-inf\n'
bad 'a negative time' "^detect: -:2: column 'ns': a time cannot be negative\$" 'pages\tns\n4\t-1\n'
bad 'a number too large' "column 'ns': '1e400' is not a number" 'pages\tns\n4\t1e400\n'
bad 'a count too large' "column 'pages': '1e\+30' is not a whole number" 'pages\tns\n1e30\t1\n'
bad 'a row cut in half' '^detect: -:3: the row has 2 fields, the header 3$' \
    'pages\tns\tloads\n4\t1\t9\n8\t1.\n16\t1\t9\n'
bad 'two halves in one' '^detect: -:3: the row has more fields than the header, 2$' \
    'pages\tns\n4\t1\n8\t1.16\t1.2\n32\t2\n'
bad 'a NUL byte' "^detect: -:3: column 'ns': '1' is not a number" 'pages\tns\n4\t1\n8\t1\0\n'
bad 'a text column where it is not known' "-:2: column 'layout': unknown layout 'pages'" \
    'pages\tlayout\tns\n4\tpages\t1\n'
bad 'UTF-16' 'no header line' '\377\376p\0a\0g\0e\0s\0\t\0n\0s\0\n\0'
exits 2 'a file that is not there' detect "$TMP/nothing here"
matches 'is named' "detect: .*/nothing here: cannot open: No such file" "$TMP/err"
exits 2 'an empty file name' detect ''
matches 'is told from a missing one' "^detect: a file name is empty; '-' is stdin\$" "$TMP/err"
exits 2 'a folder' detect "$TMP"
matches 'is no table' 'cannot read' "$TMP/err"
printf 'pages\tns\n4\tx\n' >"$TMP/bad.tsv"
exits 2 'the second of two files' detect "$TMP/zen 4.tsv" "$TMP/bad.tsv"
matches 'is named with its line' "bad.tsv:2: column 'ns'" "$TMP/err"

# ---- hostile ----

# survives NAME TEXT: detect answers, whatever it says.
survives() {
    local status=0
    from printf "$2" >"$TMP/out" 2>"$TMP/err" || status=$?
    check "$1" test "$status" -le 1
    matches "$1: a table" "^structure${tab}level" "$TMP/out"
    lacks "$1: without infinities" "${tab}-?(inf|nan)" "$TMP/out"
}
survives 'huge times' 'pages\tns\n4\t1e300\n8\t1e300\n16\t1e308\n32\t1e308\n64\t1e308\n'
survives 'huge sizes' 'pages\tns\n9223372036854775808\t1\n4611686018427387904\t1\n2\t1\n'
survives 'zeros' 'pages\tns\n4\t0\n8\t0\n16\t0\n32\t0\n64\t0\n'
survives 'one row' 'pages\tns\n4\t1\n'
survives 'one size' 'pages\tns\n4\t1\n4\t2\n4\t3\n'
survives 'numbers of samples that repeat' \
    'pages\tlayout\tsample\tns\n4\tpage\t7\t1\n4\tpage\t7\t2\n4\tpacked\t7\t1\n8\tpacked\t7\t1\n'
head -c 300000 /dev/zero >"$TMP/zeros"
exits 2 'nothing but NUL bytes' detect "$TMP/zeros"
head -c 20000000 /dev/zero | tr '\0' x >"$TMP/long.tsv"
exits 2 'a line that never ends' detect "$TMP/long.tsv"
matches 'is too long' 'long.tsv:1: the line is longer than 16 MiB' "$TMP/err"
awk 'BEGIN {
    for (row = 0; row < 2; row++) {
        for (i = 0; i < 1000000; i++) printf "%s\t", row ? "1" : "c"
        print row ? "4\t1" : "pages\tns"
    } }' >"$TMP/wide.tsv"
exits 1 'a million columns' detect "$TMP/wide.tsv"
matches 'and two that count' 'nothing detected' "$TMP/err"
head -c 200000 /dev/urandom >"$TMP/random" 2>/dev/null || echo x >"$TMP/random"
exits 2 'random bytes' detect "$TMP/random"

rows "$TMP/zen 4.tsv" >"$TMP/some"
{
    grep -v '^[0-9]' "$TMP/zen 4.tsv"
    for ((i = 0; i < 700; i++)); do cat "$TMP/some"; done
} >"$TMP/many.tsv"
if [ "$VARIANT" != asan ] && (ulimit -v 90000) 2>/dev/null; then
    exits 0 'three quarters of a million rows in little memory' \
        sh -c 'ulimit -v 90000 && exec detect "$1"' sh "$TMP/many.tsv"
else
    exits 0 'three quarters of a million rows' detect "$TMP/many.tsv"
fi
same 'give the same levels' "$(grep '^dtlb' "$TMP/wanted" | cut -f 1-3)" \
    "$(rows "$TMP/out" | grep '^dtlb' | cut -f 1-3)"

# ---- output that cannot be written ----

if [ -w /dev/full ]; then
    for command in 'detect "$1"' 'detect --help' 'detect --version' 'simulate "$2"' 'chase --help' \
        'sweep --plan --pages 4,8' 'sweep --version'; do
        exits 2 "$command > /dev/full" \
            sh -c "exec $command >/dev/full" sh "$TMP/zen 4.tsv" "$zen4"
        matches "$command: says so" '^[a-z]+: cannot write the output: No space left' "$TMP/err"
    done
else
    skip 'a full disk' 'no /dev/full here'
fi
exits 2 'a closed stdout' sh -c 'exec detect "$1" >&-' sh "$TMP/zen 4.tsv"
matches 'is an error' 'detect: cannot write the output' "$TMP/err"

# quiet_in_pipe NAME COMMAND: ends by SIGPIPE (or before it came), without a word.
quiet_in_pipe() {
    local status
    status=$(
        bash -c "$2 | head -n 1 >/dev/null; echo \${PIPESTATUS[0]}" 2>"$TMP/err"
    )
    case $status in
    0 | 141) pass "$1" ;;
    *) fail "$1" && echo "# status $status" ;;
    esac
    same "$1: quietly" '' "$(cat "$TMP/err")"
}
quiet_in_pipe 'simulate | head' "simulate --seed 1 '$zen4'"
quiet_in_pipe 'sweep --plan | head' 'sweep --plan --pages 4,16384'
exits 0 'also where SIGPIPE is ignored' bash -c "trap '' PIPE
    { simulate --seed 1 '$zen4'; echo \$? >'$TMP/status'; } | sed -n 1q"
same 'no word is said' '' "$(cat "$TMP/err")"
finish_tests
