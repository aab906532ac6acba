# tables.sh: the part of grading.sh that reads tables of students.
# shellcheck shell=bash disable=SC2034 # SURE is for lose

# The part of awk programs that reads the columns `names` of a table, as the toolkit does: of each row they are
# value[1], value[2], ... The header may follow a `#`, as the printed lab has it, and fields may have blanks around them.
# It ends at once, with missing, where a column is not there.
# shellcheck disable=SC2016 # it is awk
reader='
    function trimmed(text) { gsub(/^[ \r]+|[ \r]+$/, "", text); return text }
    BEGIN { count = split(names, name, " ") }
    /^#/ { if (/\t/) header = substr($0, 2); next }
    !head {
        head = 1
        named = header == "" || /^ *[A-Za-z]/
        if (named) header = $0
        for (i = split(header, field, FS); i > 0; i--) at[trimmed(field[i])] = i
        for (i = 1; i <= count; i++) if (!(name[i] in at)) { missing = 1; exit }
        if (named) next
    }
    { for (i = 1; i <= count; i++) value[i] = trimmed($(at[name[i]])) }'

# column FILE NAME...: prints the named columns of a table, tab-separated. Fails if one is missing.
column() {
    awk -F '\t' -v names="${*:2}" "$reader"'
        { for (i = 1; i <= count; i++) printf "%s%s", value[i], i < count ? "\t" : "\n" }
        END { exit missing || !head }' "$1"
}

# legal FILE NAME...: checks that a table has these columns of numbers; prints what is wrong with it.
# original FILE NAME...: the same of what the student has measured; its rows are not those of a table in data/.
others=()
original() {
    local others=("$LAB"/data/*)
    legal "$@"
}
legal() {
    [ -f "$1" ] || { echo "no ${1##*/}" && return 1; }
    awk -F '\t' -v names="${*:2}" '
        FILENAME != ARGV[1] {
            if (!/^#/ && line[++lines[FILENAME]] != $0 "") { lines[FILENAME] = -1; nextfile }
            next
        }
        !/^#/ { line[++lines[FILENAME]] = $0 }'"$reader"'
        {
            row = value[1]
            for (i = 2; i <= count; i++) row = row "\t" value[i]
            if (row == "") { gap = 1; next }
            rows++
            if (!odd && (gap || row !~ /^[-0-9.e+\t]+$/)) { odd = 1; text = gap ? "" : row }
            if (row ~ /(^|\t)-/) negative = 1
        }
        END {
            if (missing || !head) what = "needs a header with the columns " names
            else if (!rows) what = "no rows"
            else if (odd) what = "not a number: " text
            else if (negative) what = "a negative number"
            else {
                for (i = 2; i < ARGC && lines[ARGV[i]] != lines[ARGV[1]]; i++);
                if (i == ARGC) exit 0
                sub(/.*\//, "", ARGV[i])
                what = "a copy of data/" ARGV[i]
            }
            sub(/.*\//, "", ARGV[1])
            print ARGV[1] ": " what
            exit 1
        }' "$1" ${others[@]+"${others[@]}"}
}

# setting FILE KEY [OTHER]: the number in the first line `# KEY: N`, or `# KEY = N` as the printed lab has it, or of the key
# OTHER; `10 Mi` is a number, too.
setting() {
    awk -F ' *[:=] *' -v key="# $2" -v other="# ${3-$2}" '
        ($1 == key || $1 == other) && match($2, /^[0-9]+/) {
            printf "%.0f\n", substr($2, 1, RLENGTH) * (substr($2, RLENGTH + 1) ~ /^ *Mi/ ? 1048576 : 1)
            exit
        }' "$1"
}

# references FILE: how many the program made in each row, or in the row of one page; the printed lab has `number or`.
# A number in Mi that is 0 has been rounded.
references() {
    local refs
    refs=$(setting "$1" 'total number of references' 'total number or references')
    if [ "${refs:-0}" = 0 ]; then cell "$1" 1 sum; else echo "$refs"; fi
}

# whole_rounds FILE: every sum is that of whole rounds over the pages: (references / pages) * pages.
whole_rounds() {
    local refs
    refs=$(references "$1")
    [ -n "$refs" ] || { echo "${1##*/}: no line '# total number of references: N', and no row of 1 page" && return 1; }
    awk -F '\t' -v names='pages sum' -v refs="$refs" "$reader"'
        value[1] < 1 { print "pages " value[1]; bad = 1; exit }
        value[2] != refs - refs % value[1] {
            print value[1] (value[1] == 1 ? " page" : " pages") ": sum " value[2] ", not " refs - refs % value[1]
            bad = 1
            exit
        }
        END { exit bad }' "$1"
}

# whole: what the program printed, in OUT, is a table of the printed lab with whole rounds.
whole() { legal "$OUT" pages proc sum && whole_rounds "$OUT"; }

# tabled POINTS ITEM COMMAND...: the student's own table, of which COMMAND prints what is wrong. The times
# themselves are not graded.
tabled() {
    local points=$1 item=$2 problem SURE=yes
    shift 2
    if ! problem=$("$@"); then
        lose "$points" "$item" "$problem"
    elif ! spoilt "$points" "$item"; then
        award "$points" "$item"
    fi
}

# measured POINTS TABLE LAST [KINDS]: a table of the printed lab is legal, its sums are those of whole
# rounds, its rows go to LAST pages, and its times are plausible. KINDS is 1 where the compiler may
# remove the loop.
measured() { tabled "$1" "$2: your measurement" lab_table "$SUBMISSION/$2" "$3" "${4:-2}"; }

lab_table() {
    original "$1" pages proc sum && { whole_rounds "$1" || { echo "(an old table? ../run ${NAME%%-*} measures again)" && return 1; }; } && varied "$1" proc "$2" "$3"
}

# timed POINTS TABLE LAST [KINDS [LEAST]]: the same of a table with ns for each number of nodes.
timed() { tabled "$1" "$2: your measurement" ns_table "$SUBMISSION/$2" "${@:3}"; }

ns_table() {
    original "$1" pages spacing_bytes ns && varied "$1" ns "${@:2}"
}

# varied FILE COLUMN LAST [KINDS [LEAST]]: the times are plausible: LEAST (0.2) to 5000 ns, except in a tenth of
# the rows, which other programs may have interrupted; and KINDS (2) of them differ, or a quarter of the rows
# if that is less. Where KINDS is 1 they may be anything. Column `pages` goes to LAST.
varied() {
    local refs=''
    [ "$2" != proc ] || refs=$(references "$1")
    awk -F '\t' -v names="pages $2" -v last="$3" -v want="${4:-2}" -v least="${5:-0.2}" -v table="${1##*/}" \
        -v refs="$refs" "$reader"'
        {
            rows++
            pages = value[1]
            most = pages > most ? pages : most
            if (!seen[value[2]]++) kinds++
            ns = refs ? value[2] / refs * 1e9 : value[2]
            if (ns == 0) idle = pages
            else if (ns < least || ns > 5000) { odd = pages; much = ns; odds++ }
        }
        END {
            if (want > 1 && want < rows / 4) want = rows / 4
            if (most < last) print table ": ends at " most + 0 " pages, not at " last
            else if (want > 1 && idle != "") print table ": " idle " pages take no time"
            else if (want > 1 && odds > rows / 10) printf "%s: %s pages take %.3g ns each, which no machine does\n", table, odd, much
            else if (kinds < want) print table ": all times are the same, or nearly so"
            else exit 0
            exit 1
        }' "$1"
}

# cell FILE PAGES COLUMN: the value in the row with PAGES pages.
cell() {
    awk -F '\t' -v names="pages $3" -v pages="$2" "$reader"'value[1] == pages { v = value[2] } END { print v }' "$1" 2>/dev/null
}

# slower POINTS ITEM A B WHY: B is more than 1.5 times A; else the verdict is "cannot tell", with WHY.
slower() {
    local SURE=yes
    spoilt "$1" "$2" && return
    if [ -z "$3" ] || [ -z "$4" ]; then
        lose "$1" "$2" 'nothing was measured'
        return
    fi
    case $(A=$3 B=$4 awk 'BEGIN { a = ENVIRON["A"]; b = ENVIRON["B"]; print (b > 0 ? b > 1.5 * a : "zero") }') in
    zero) lose "$1" "$2" "$4: a time of zero means that nothing was measured" ;;
    1) award "$1" "$2" ;;
    *) inconclusive "$1" "$2" "$4 compared with $3: $5" ;;
    esac
}
