# tables.sh: the part of grading.sh that reads files of students: answers, predictions, and tables.
# shellcheck shell=bash

# ---- answers and predictions ----

# tidy_pairs FILE: its `key = value` lines, keys and values trimmed, without comments and empty ones.
tidy_pairs() {
    awk '
        /^[ \t]*(#|$)/ { next }
        (cut = index($0, "=")) {
            key = substr($0, 1, cut - 1)
            value = substr($0, cut + 1)
            gsub(/^[ \t]+|[ \t\r]+$/, "", key)
            gsub(/^[ \t]+|[ \t\r]+$/, "", value)
            print key "\t" value
        }' "$1"
}

take_answers() {
    ANSWERS=$WORK/answers
    : >"$ANSWERS"
    [ ! -f "$SUBMISSION/answers.txt" ] || tidy_pairs "$SUBMISSION/answers.txt" >"$ANSWERS"
}

# value KEY: the last one given, or nothing.
value() {
    awk -F '\t' -v key="$1" '$1 == key { v = $2 } END { print v }' "$ANSWERS"
}

checksum() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# seal KEY VALUE: the checksum that a check stores in place of the answer. Case, blanks and commas in
# numbers do not matter, and 4 equals 4.0. A comma before the last one or two digits is a decimal point.
seal() {
    printf '%s\t%s\t%s\n' "$NAME" "$1" "$2" | awk -F '\t' '
        {
            v = tolower($3)
            gsub(/ /, "", v)
            if (v ~ /^[-+]?[0-9]+,[0-9][0-9]?$/) sub(/,/, ".", v)
            gsub(/,/, "", v)
            if (v ~ /^[-+]?[0-9]*\.?[0-9]+$/) v = sprintf("%.10g", v)
            printf "%s %s %s", $1, $2, v
        }' | checksum
}

# answer KEY POINTS SEAL: the answer is right or wrong.
answer() {
    local given
    given=$(value "$1")
    if [ -z "$given" ]; then
        lose "$2" "answer $1" "answers.txt has no value for $1"
    elif [ "$(seal "$1" "$given")" = "$3" ]; then
        award "$2" "answer $1"
    else
        lose "$2" "answer $1" "'$given' is not it"
    fi
}

# prose KEY POINTS: at least five words, for a person to read.
prose() {
    local words
    words=$(value "$1" | wc -w)
    if [ "$words" -ge 5 ]; then
        award "$2" "answer $1" 'present; a person reads it'
    else
        lose "$2" "answer $1" "answers.txt has no sentence for $1"
    fi
}

# ---- a machine of the student's own: simulate(1), INDIVIDUAL MACHINES ----

# make_machine ID SECRET: writes the description of the student's machine to MACHINE; empty without them.
make_machine() {
    MACHINE=''
    [ -n "$1$2" ] || return
    { [ -n "$1" ] && [ -n "$2" ]; } || say_and_die '--id and --secret go together'
    PATH=$LABS/../bin:$PATH command -v simulate >/dev/null || say_and_die '--secret needs simulate: run make'
    MACHINE=$WORK/machine
    PATH=$LABS/../bin:$PATH simulate --describe --id "$1" --secret "$2" >"$MACHINE" ||
        say_and_die 'no machine from this id and secret'
}

# individual POINTS KEY PERCENT STRUCTURE LEVEL COLUMN: the answer KEY equals COLUMN of this level in the
# student's own machine, within PERCENT per cent (0 for words too). Without the secret the verdict is
# "cannot tell"; without secret and answer there is no item.
individual() {
    local given truth item="answer $2"
    given=$(value "$2")
    if [ -z "$MACHINE" ]; then
        [ -z "$given" ] || untold "$1" "$item" 'only your teacher knows your machine'
        return
    elif [ -z "$given" ]; then
        lose "$1" "$item" "answers.txt has no value for $2"
        return
    fi
    truth=$(column "$MACHINE" structure level page_bytes "$6" | awk -F '\t' -v s="$4" -v l="$5" '
        $1 == s && $2 == l && ($3 == "-" || $3 == 4096) { print $4; exit }')
    [ -n "$truth" ] || say_and_die "the machine has no $6 of $4 $5"
    decide "$1" "$item" "'$given' is not it" awk -v given="$given" -v truth="$truth" -v percent="$3" '
        BEGIN {
            if (given ~ /^[0-9]+,[0-9][0-9]?$/) sub(/,/, ".", given)
            gsub(/,/, "", given)
            number = given ~ /^[0-9]*\.?[0-9]+$/ && truth ~ /^[0-9.]+$/
            off = given - truth
            exit !(number ? (off < 0 ? -off : off) <= truth * percent / 100 + 1e-9 : given == truth)
        }'
}

# prediction POINTS TABLE...: predict.txt is filled in, and its checksum is the one that labs/run wrote
# into every TABLE.
prediction() {
    local points=$1 item='prediction made before measuring' file hash sealed
    shift
    file=$SUBMISSION/predict.txt
    if [ ! -f "$file" ]; then
        lose "$points" "$item" 'no predict.txt'
        return
    fi
    if ! unfilled "$file" "$LAB/predict.txt"; then
        lose "$points" "$item" "predict.txt is not filled"
        return
    fi
    hash=$(checksum <"$file")
    for file; do
        sealed=$(sed -n 's/^# prediction_sha256: *//p' "$SUBMISSION/$file" 2>/dev/null | head -n 1)
        if [ -z "$sealed" ]; then
            lose "$points" "$item" "$file has no seal: labs/run ${NAME%%-*} makes it"
            return
        elif [ "$sealed" != "$hash" ]; then
            lose "$points" "$item" "predict.txt was changed after $file was measured"
            return
        fi
    done
    award "$points" "$item"
}

# unfilled FILE TEMPLATE: fails when a key of the template has no value in FILE.
unfilled() {
    local key
    while IFS=$'\t' read -r key _; do
        tidy_pairs "$1" | awk -F '\t' -v key="$key" '$1 == key && $2 != "" { ok = 1 } END { exit !ok }' ||
            return 1
    done < <(tidy_pairs "$2")
}

# ---- tables ----

# column FILE NAME...: prints the named columns of a table, tab-separated. Fails if one is missing.
column() {
    local file=$1
    shift
    awk -F '\t' -v names="$*" '
        BEGIN { count = split(names, name, " ") }
        /^#/ { next }
        !head {
            head = 1
            for (i = 1; i <= NF; i++) at[$i] = i
            for (i = 1; i <= count; i++) if (!(name[i] in at)) { missing = 1; exit }
            next
        }
        { for (i = 1; i <= count; i++) printf "%s%s", $(at[name[i]]), i < count ? "\t" : "\n" }
        END { exit missing || !head }' "$file"
}

# legal FILE NAME...: checks that a table has these columns of numbers; prints what is wrong with it.
legal() {
    local file=$1 rows
    shift
    [ -f "$file" ] || { echo "no ${file##*/}" && return 1; }
    if ! rows=$(column "$file" "$@"); then
        echo "${file##*/}: needs a header with the columns $*"
    elif [ -z "$rows" ]; then
        echo "${file##*/}: no rows"
    elif awk -F '\t' '/^#/ { if (rows) exit 1; next } { rows = 1; if (!n) n = NF; if (NF != n) exit 1 }
        END { exit 0 }' "$file"; then
        if grep -Eqv '^[-0-9.e+'$'\t'']+$' <<<"$rows"; then
            echo "${file##*/}: not a number: $(grep -Ev -m 1 '^[-0-9.e+'$'\t'']+$' <<<"$rows")"
        elif grep -Eq '(^|'$'\t'')-' <<<"$rows"; then
            echo "${file##*/}: a negative number"
        else
            return 0
        fi
    else
        echo "${file##*/}: rows of different length, or a '#' line after the header"
    fi
    return 1
}

# setting FILE KEY: the number in a `# key: value` line.
setting() {
    sed -n "s/^# $2: *\([0-9]*\).*/\1/p" "$1" | head -n 1
}

# whole_rounds FILE: every sum is that of whole rounds over the pages: (references / pages) * pages.
whole_rounds() {
    local refs
    refs=$(setting "$1" 'total number of references')
    [ -n "$refs" ] || { echo "${1##*/}: no line '# total number of references: N'" && return 1; }
    column "$1" pages sum | awk -F '\t' -v refs="$refs" '
        $1 < 1 { print "pages " $1; bad = 1; exit }
        $2 != refs - refs % $1 { print $1 " pages: sum " $2 ", not " refs - refs % $1; bad = 1; exit }
        END { exit bad }'
}

# measured POINTS TABLE LAST [KINDS]: the student's own table is legal, its sums are those of whole
# rounds, its rows go to LAST pages, and its times are not all the same (KINDS is 1 where they may be,
# because the compiler may remove the loop). The times themselves are not graded.
measured() {
    local problem file=$SUBMISSION/$2 item="$2: your measurement"
    if problem=$(legal "$file" pages proc sum && whole_rounds "$file" &&
        varied "$file" proc "$3" "${4:-2}"); then
        award "$1" "$item"
    else
        lose "$1" "$item" "$problem"
    fi
}

# varied FILE COLUMN LAST KINDS: the column has at least KINDS different values, none of them 0 if KINDS
# is above 1, and column pages goes to LAST.
varied() {
    column "$1" pages "$2" | awk -F '\t' -v last="$3" -v want="$4" -v name="${1##*/}" '
        { most = $1 > most ? $1 : most; if (!seen[$2]++) kinds++; if ($2 + 0 == 0) idle = $1 }
        END {
            if (most < last) print name ": ends at " most + 0 " pages, not at " last
            else if (want > 1 && idle != "") print name ": " idle " pages take no time"
            else if (kinds < want) print name ": all times are the same"
            else exit 0
            exit 1
        }'
}

# cell FILE PAGES COLUMN: the value in the row with PAGES pages.
cell() {
    column "$1" pages "$3" 2>/dev/null | awk -F '\t' -v pages="$2" '$1 == pages { v = $2 } END { print v }'
}

# slower POINTS ITEM A B WHY: B is more than 1.5 times A; else the verdict is "cannot tell", with WHY.
slower() {
    if [ -z "$3" ] || [ -z "$4" ]; then
        lose "$1" "$2" 'nothing was measured'
    elif awk -v b="$4" 'BEGIN { exit b > 0 }'; then
        lose "$1" "$2" "$4: a time of zero means that nothing was measured"
    elif awk -v a="$3" -v b="$4" 'BEGIN { exit !(b > 1.5 * a) }'; then
        award "$1" "$2"
    else
        untold "$1" "$2" "$4 compared with $3: $5"
    fi
}
