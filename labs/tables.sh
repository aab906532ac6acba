# tables.sh: the part of grading.sh that reads files of students: answers, predictions, and tables.
# shellcheck shell=bash disable=SC2034 # SURE is for lose

# ---- answers and predictions ----

# The part of awk programs that reads `key = value` lines, keys and values trimmed, without comments and empty
# ones. pairs(FILE, TEMPLATE, KIND) calls pair(KIND, KEY, VALUE, MORE), a function of the program's own, for each.
# With a TEMPLATE only its keys are keys. Lines without one go on with the value before: where the value stood
# empty they are it, else they are MORE. A FILE that is not there has none.
# shellcheck disable=SC2016 # it is awk
pairs='
    function trim(text) { gsub(/^[ \t]+|[ \t\r]+$/, "", text); return text }
    function ready(kind, key, value, more) {
        if (key == "") return
        if (value == "") { value = more; more = "" }
        gsub(/\t/, " ", value)
        gsub(/\t/, " ", more)
        pair(kind, key, value, more)
    }
    function pairs(file, template, kind,   line, cut, name, known, key, value, more) {
        while (template != "" && (getline line < template) > 0)
            if (line !~ /^[ \t]*#/ && index(line, "=")) known[trim(substr(line, 1, index(line, "=") - 1))]
        close(template)
        while (file != "" && (getline line < file) > 0) {
            if (line ~ /^[ \t\r]*(#|$)/) continue
            cut = index(line, "=")
            name = cut ? trim(substr(line, 1, cut - 1)) : ""
            if (cut && (template == "" || name in known)) {
                ready(kind, key, value, more)
                key = name
                value = trim(substr(line, cut + 1))
                more = ""
            } else more = more (more == "" ? "" : " ") trim(line)
        }
        close(file)
        ready(kind, key, value, more)
    }'

# take_answers: GIVEN has the answers, and WORDS how many words each has; IS says of each whether it is a
# `number` or a `word`, and `same` as the teacher's or `other`; TRUTHS has the teacher's. Case, blanks and commas
# in numbers do not matter, and 4 equals 4.0. A comma before the last one or two digits is a decimal point.
declare -A GIVEN=() WORDS=() IS=() TRUTHS=()
take_answers() {
    local kind key words is value
    SOLUTION=$LABS/instructor/${NAME%%-*}/answers.txt
    while IFS=$'\x1f' read -r kind key words is value; do
        case $kind in
        truth) TRUTHS[$key]=$value ;;
        given) GIVEN[$key]=$value WORDS[$key]=$words IS[$key]=$is ;;
        esac
    done < <(awk -v OFS='\037' "$pairs"'
        function plain(v) {
            v = tolower(v)
            gsub(/ /, "", v)
            if (v ~ /^[-+]?[0-9]+,[0-9][0-9]?$/) sub(/,/, ".", v)
            gsub(/,/, "", v)
            if (v ~ /^[-+]?[0-9]*\.?[0-9]+$/) v = sprintf("%.10g", v)
            return v ""
        }
        function pair(kind, key, value, more,   is, words) {
            if (kind == "truth") {
                truth[key] = value
                print kind, key, "", "", value
                return
            }
            gsub(/\037/, "?", key)
            gsub(/\037/, "?", value)
            is = plain(value) ~ /^[-+]?[0-9]*\.?[0-9]+(e[-+]?[0-9]+)?$/ ? "number " : "word "
            is = is ((key in truth) && plain(value) == plain(truth[key]) ? "same" : "other")
            print kind, key, split(value " " more, words, " "), is, value
        }
        BEGIN {
            pairs(ARGV[1], "", "truth")
            pairs(ARGV[2], ARGV[3], "given")
        }' "$SOLUTION" "$SUBMISSION/answers.txt" "$LAB/answers.txt")
}

# value KEY: the last one given, or nothing.
value() { printf '%s\n' "${GIVEN[$1]-}"; }

# checksum: of a text, followed by a blank and a name.
checksum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }

# answer KEY POINTS [word]: the answer is right or wrong; it is a number, or else a word. What is right
# stands in the teacher's folder alone: everybody has the data that it is about, so whatever could tell
# here whether an answer is right could be asked about all of them.
answer() {
    local given=${GIVEN[$1]-} item="answer $1" SURE=yes
    if [ -z "$given" ]; then
        lose "$2" "$item" "answers.txt has no value for $1"
    elif [ "${3-}" != word ] && [[ ${IS[$1]} != number* ]]; then
        lose "$2" "$item" "'$given' is no number"
    elif [ ! -f "$SOLUTION" ]; then
        untold "$2" "$item" 'only your teacher can check it'
    elif [ -z "${TRUTHS[$1]-}" ]; then
        say_and_die "$SOLUTION: no $1"
    else
        decide "$2" "$item" "'$given' is not it" test "${IS[$1]#* }" = same
    fi
}

# prose KEY POINTS: at least five words, for a person to read.
prose() {
    local SURE=yes
    if [ "${WORDS[$1]-0}" -ge 5 ]; then
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
    local given truth item="answer $2" SURE=yes
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
    local points=$1 item='prediction made before measuring' file hash sealed line SURE=yes
    shift
    file=$SUBMISSION/predict.txt
    if by_toolkit spoilt "$points" "$item"; then
        return
    elif [ ! -f "$file" ]; then
        lose "$points" "$item" 'no predict.txt'
        return
    fi
    if ! unfilled "$file" "$LAB/predict.txt"; then
        lose "$points" "$item" "predict.txt is not filled"
        return
    fi
    hash=$(checksum <"$file")
    hash=${hash%% *}
    for file; do
        sealed=''
        while IFS= read -r line && [ -z "$sealed" ]; do
            [[ $line != '# prediction_sha256:'* ]] || { sealed=${line#*:} && sealed=${sealed#"${sealed%%[! ]*}"}; }
        done 2>/dev/null <"$SUBMISSION/$file"
        if [ -z "$sealed" ]; then
            lose "$points" "$item" "$file has no seal: labs/run ${NAME%%-*} makes it"
            return
        elif [[ ! $sealed =~ ^[0-9a-f]{64}$ ]]; then
            lose "$points" "$item" "$file: its seal, in the line '# prediction_sha256:', is damaged"
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
    awk "$pairs"'
        function pair(kind, key, value, more) {
            if (kind == "given" && value != "") filled[key]
            if (kind == "wanted" && !(key in filled)) bad = 1
        }
        BEGIN {
            pairs(ARGV[1], ARGV[2], "given")
            pairs(ARGV[2], "", "wanted")
            exit bad
        }' "$1" "$2"
}

# ---- tables ----

# The part of awk programs that reads the columns `names` of a table: of each row they are value[1], value[2], ...
# It ends at once, with missing, where a column is not there.
# shellcheck disable=SC2016 # it is awk
reader='
    BEGIN { count = split(names, name, " ") }
    /^#/ { next }
    !head {
        head = 1
        for (i = 1; i <= NF; i++) at[$i] = i
        for (i = 1; i <= count; i++) if (!(name[i] in at)) { missing = 1; exit }
        next
    }
    { for (i = 1; i <= count; i++) value[i] = $(at[name[i]]) }'

# column FILE NAME...: prints the named columns of a table, tab-separated. Fails if one is missing.
column() {
    awk -F '\t' -v names="${*:2}" "$reader"'
        { for (i = 1; i <= count; i++) printf "%s%s", value[i], i < count ? "\t" : "\n" }
        END { exit missing || !head }' "$1"
}

# legal FILE NAME...: checks that a table has these columns of numbers; prints what is wrong with it.
legal() {
    [ -f "$1" ] || { echo "no ${1##*/}" && return 1; }
    awk -F '\t' -v names="${*:2}" "$reader"'
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
            else exit 0
            sub(/.*\//, "", ARGV[1])
            print ARGV[1] ": " what
            exit 1
        }' "$1"
}

# setting FILE KEY: the number in the first `# key: value` line.
setting() {
    local line
    while IFS= read -r line; do
        [[ $line == "# $2:"* ]] || continue
        line=${line#*:} line=${line#"${line%%[! ]*}"}
        echo "${line%%[!0-9]*}"
        return
    done <"$1"
}

# whole_rounds FILE: every sum is that of whole rounds over the pages: (references / pages) * pages.
whole_rounds() {
    local refs
    refs=$(setting "$1" 'total number of references')
    [ -n "$refs" ] || { echo "${1##*/}: no line '# total number of references: N'" && return 1; }
    awk -F '\t' -v names='pages sum' -v refs="$refs" "$reader"'
        value[1] < 1 { print "pages " value[1]; bad = 1; exit }
        value[2] != refs - refs % value[1] {
            print value[1] " pages: sum " value[2] ", not " refs - refs % value[1]
            bad = 1
            exit
        }
        END { exit bad }' "$1"
}

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
    legal "$1" pages proc sum && whole_rounds "$1" && varied "$1" proc "$2" "$3"
}

# timed POINTS TABLE LAST [KINDS [LEAST]]: the same of a table with ns for each number of nodes.
timed() { tabled "$1" "$2: your measurement" ns_table "$SUBMISSION/$2" "${@:3}"; }

ns_table() {
    legal "$1" pages spacing_bytes ns && varied "$1" ns "${@:2}"
}

# varied FILE COLUMN LAST [KINDS [LEAST]]: the times are plausible: LEAST (0.2) to 5000 ns but for a tenth
# of the rows, which others may have interrupted; and of a quarter of the rows, and KINDS (2), different. Where KINDS is 1 they may be anything. Column `pages`
# goes to LAST. A table of the exercise's data is not the student's own.
varied() {
    local refs=''
    borrowed "$1" && return 1
    [ "$2" != proc ] || refs=$(setting "$1" 'total number of references')
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

# borrowed FILE: the rows of the table are those of a table in data/, and it says so.
borrowed() {
    [ -f "$1" ] || return 1
    awk '
        /^#/ { next }
        FILENAME == ARGV[1] { row[++rows] = $0; next }
        row[++count[FILENAME]] != $0 "" { count[FILENAME] = -1; nextfile }
        END {
            for (i = 2; i < ARGC && count[ARGV[i]] != rows; i++);
            if (i == ARGC) exit 1
            sub(/.*\//, "", ARGV[1])
            sub(/.*\//, "", ARGV[i])
            print ARGV[1] ": a copy of data/" ARGV[i]
        }' "$1" "$LAB"/data/*
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
    case $(awk -v a="$3" -v b="$4" 'BEGIN { print (b > 0 ? b > 1.5 * a : "zero") }') in
    zero) lose "$1" "$2" "$4: a time of zero means that nothing was measured" ;;
    1) award "$1" "$2" ;;
    *) untold "$1" "$2" "$4 compared with $3: $5" ;;
    esac
}
