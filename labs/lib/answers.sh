# answers.sh: the part of grading.sh that reads the texts, the answers and the prediction of a student.
# shellcheck shell=bash disable=SC2034,SC2154 # of grading.sh, which has SURE

# ---- text ----

# utf16 FILE: sets ENCODING to its name for iconv, or to nothing where the file is not UTF-16, as editors of Windows
# and its PowerShell write it: with a mark at the beginning, or every other byte of its first letter is NUL.
utf16() {
    local LC_ALL=C start
    ENCODING=''
    IFS= read -r -d '' start <"$1" || start+=..
    case $start in
    $'\xff\xfe'* | $'\xfe\xff'*) ENCODING=UTF-16 ;;
    '') ENCODING=UTF-16BE ;;
    ?) ENCODING=UTF-16LE ;;
    esac
}

# plain_text FILE: its text as UTF-8, without the carriage returns with which Windows ends lines, and without the
# NULs of UTF-16 that was appended to another text.
plain_text() {
    utf16 "$1"
    if [ -n "$ENCODING" ]; then
        { iconv -c -f "$ENCODING" -t UTF-8 "$1" 2>/dev/null || :; } | tr -d '\r'
    else
        tr -d '\000\r' <"$1"
    fi
}

# is_plain FILE: plain_text would not change it.
is_plain() {
    local LC_ALL=C text
    ! IFS= read -r -d '' text <"$1" && [[ $text != *[$'\r\xfe\xff']* ]]
}

# ---- answers and predictions ----

# The part of awk programs that reads `key = value` lines, keys and values trimmed, without comments and empty
# ones. pairs(FILE, TEMPLATE, KIND, SECTION) calls pair(KIND, KEY, VALUE, MORE), a function of the program's own, for each.
# With a TEMPLATE only its keys are keys. Lines without a key continue the value before: if that was empty they
# become the value, else they are MORE. With a SECTION only what is after the line `= SECTION` is read, as in the
# teacher's solutions. A FILE that is not there has no pairs. `absent` are the keys that it lacks, and `strange` those that
# it has in their place.
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
    function pairs(file, template, kind, section,   line, cut, name, known, met, key, value, more) {
        while (template != "" && (getline line < template) > 0)
            if (line !~ /^[ \t]*#/ && index(line, "=")) known[trim(substr(line, 1, index(line, "=") - 1))]
        close(template)
        while (section != "" && (getline line < file) > 0 && line != "= " section) { }
        while (file != "" && (getline line < file) > 0) {
            if (section != "" && line ~ /^[=+] /) break
            if (line ~ /^[ \t\r]*(#|$)/) continue
            cut = index(line, "=")
            name = cut ? trim(substr(line, 1, cut - 1)) : ""
            if (cut && (template == "" || name in known)) {
                ready(kind, key, value, more)
                key = name
                met[name]
                value = trim(substr(line, cut + 1))
                more = ""
            } else {
                if (cut && name ~ /^[A-Za-z][A-Za-z_0-9]*$/) strange = strange " " name
                more = more (more == "" ? "" : " ") trim(line)
            }
        }
        close(file)
        for (name in known) if (!(name in met)) absent = absent " " name
        ready(kind, key, value, more)
    }'

# take_answers: GIVEN has the answers, and WORDS how many words each has; IS says of each whether it is a
# `number` or a `word`, and `same` as the teacher's or `other`; TRUTHS has the teacher's. Case, blanks and commas
# in numbers do not matter, and 4 equals 4.0. A comma before the last one or two digits is a decimal point.
declare -A GIVEN=() WORDS=() IS=() TRUTHS=()
take_answers() {
    local kind key words is value
    SOLUTION=$LABS/instructor/${NAME%%-*}/solution
    while IFS=$'\x1f' read -r kind key words is value; do
        case $kind in
        truth) TRUTHS[$key]=$value ;;
        given) GIVEN[$key]=$value WORDS[$key]=$words IS[$key]=$is ;;
        strange) remark "answers.txt: no question has the key$value; these have no line:$key" ;;
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
            pairs(ARGV[1], "", "truth", "answers.txt")
            pairs(ARGV[2], ARGV[3], "given")
            if (absent != "" && strange != "") print "strange", absent, "", "", strange
        }' "$SOLUTION" "$SUBMISSION/answers.txt" "$LAB/starter/answers.txt")
}

# value KEY: the last one given, or nothing.
value() { printf '%s\n' "${GIVEN[$1]-}"; }

# checksum: of a text, followed by a blank and a name.
checksum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }

# answer KEY POINTS [word]: the answer is right or wrong; it is a number, or else a word. The right answers are
# only in the teacher's folder: with anything here that can check an answer, students could try all of them.
answer() {
    local given=${GIVEN[$1]-} item="answer $1" SURE=yes
    if [ -z "$given" ]; then
        lose "$2" "$item" "answers.txt has no value for $1"
    elif [ "${3-}" != word ] && [[ ${IS[$1]} != number* ]]; then
        lose "$2" "$item" "'$given' is no number"
    elif [ ! -f "$SOLUTION" ]; then
        postpone "$2" "$item" later 'marked later'
    elif [ -z "${TRUTHS[$1]-}" ]; then
        die "$SOLUTION: no $1"
    else
        decide "$2" "$item" "'$given' is not it" test "${IS[$1]#* }" = same
    fi
}

# prose KEY POINTS: at least five words, for a person to read.
prose() {
    local SURE=yes
    if [ "${WORDS[$1]-0}" -ge 5 ]; then
        postpone "$2" "answer $1" unread 'a person reads it'
    else
        lose "$2" "answer $1" "answers.txt has no sentence for $1"
    fi
}

# ---- a machine of the student's own: simulate(1), INDIVIDUAL MACHINES ----

# make_machine ID SECRET: writes the description of the student's machine to MACHINE; empty without them.
make_machine() {
    MACHINE=''
    [ -n "$1$2" ] || return
    { [ -n "$1" ] && [ -n "$2" ]; } || die '--id and --secret go together'
    PATH=$LABS/../bin:$PATH command -v simulate >/dev/null || die '--secret needs simulate: run make'
    MACHINE=$WORK/machine
    PATH=$LABS/../bin:$PATH simulate --describe --id "$1" --secret "$2" >"$MACHINE" ||
        die 'no machine from this id and secret'
}

# individual POINTS KEY PERCENT STRUCTURE LEVEL COLUMN: the answer KEY equals COLUMN of this level in the
# student's own machine, within PERCENT per cent (0 for words too). Without the secret nobody can decide
# that; without secret and answer there is no item.
individual() {
    local given truth item="answer $2" SURE=yes
    given=$(value "$2")
    if [ -z "$MACHINE" ]; then
        if [ -z "$given" ]; then return; fi
        if [ -f "$SOLUTION" ]; then inconclusive "$1" "$item" 'only with --secret'; else postpone "$1" "$item" later 'marked later'; fi
        return
    elif [ -z "$given" ]; then
        lose "$1" "$item" "answers.txt has no value for $2"
        return
    fi
    truth=$(column "$MACHINE" structure level page_bytes "$6" | awk -F '\t' -v s="$4" -v l="$5" '
        $1 == s && $2 == l && ($3 == "-" || $3 == 4096) { print $4; exit }')
    [ -n "$truth" ] || die "the machine has no $6 of $4 $5"
    decide "$1" "$item" "'$given' is not it" env GIVEN="$given" TRUTH="$truth" awk -v percent="$3" '
        BEGIN {
            given = ENVIRON["GIVEN"]
            truth = ENVIRON["TRUTH"]
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
    if ! unfilled "$file" "$LAB/starter/predict.txt"; then
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
