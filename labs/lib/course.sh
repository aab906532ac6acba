# course.sh: reads the tables in which a teacher says what counts, whose work it is, and until when.
# shellcheck shell=bash disable=SC2154 # LABS is of grading.sh, and cells of sheets.sh

# lines_of FILE COLUMN...: of each line of a table that is no comment its number and the cells of these columns, tab-separated,
# `-` for what is not there. Ends with status 2 where the file cannot be read.
lines_of() {
    { [ -f "$1" ] && [ -r "$1" ]; } || die "$1: cannot be read"
    awk -F '\t' -v OFS='\t' -v names="${*:2}" '
        function trim(s) { gsub(/^[ \r]+|[ \r]+$/, "", s); return s }
        BEGIN { count = split(names, name, " ") }
        /^#/ || /^[ \t\r]*$/ { next }
        !head { head = 1; for (i = 1; i <= NF; i++) at[trim($i)] = i; next }
        {
            row = FNR
            for (i = 1; i <= count; i++) row = row OFS (name[i] in at && trim($at[name[i]]) != "" ? trim($at[name[i]]) : "-")
            print row
        }' <"$1"
}

# exercise PLACE NAME: sets `name` to the exercise with this name or number.
exercise() {
    local lab
    lab=$(echo "$LABS/${2%%-*}"-*)
    { [ -x "$lab/check" ] && [[ ${lab##*/}- == "$2"-* ]]; } || die "$1: column 'exercise': no exercise '$2'"
    name=${lab##*/}
}

# due PLACE TEXT: sets `seconds` since 1970; a day is due at its end.
due() {
    local text=$2
    seconds=-
    [[ ! $text =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || text+='T23:59:59'
    [ "$text" = - ] || seconds=$(date -d "$text" +%s 2>/dev/null) ||
        die "$1: column 'due': '$text' is no date such as 2027-01-31T18:00"
}

# course FILE: a table with a row for each exercise of the course: `exercise` (06-chase, or 06) and, where they are given, `weight`,
# `due`, `points` (what full marks are worth in the gradebook), and `assignment` (its heading in the gradebook of Canvas).
# Prints EXERCISE WEIGHT DUE POINTS ASSIGNMENT of each row, DUE in seconds since 1970. Ends with status 2 where a line is wrong.
course() {
    local number name weight when points assignment seen=' ' seconds
    lines_of "$1" exercise weight due points assignment |
        while IFS=$'\t' read -r number name weight when points assignment; do
            exercise "$1:$number" "$name"
            case $seen in *" $name "*) die "$1:$number: column 'exercise': a second $name" ;; esac
            seen+="$name "
            [[ $weight =~ ^(-|[0-9]+(\.[0-9]+)?)$ ]] || die "$1:$number: column 'weight': '$weight' is no number"
            [[ $points =~ ^(-|[0-9]+(\.[0-9]+)?)$ ]] || die "$1:$number: column 'points': '$points' is no number"
            due "$1:$number" "$when"
            printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$weight" "$seconds" "$points" "$assignment"
        done
    return $((PIPESTATUS[0] | PIPESTATUS[1]))
}

# course_number FILE KEY: the number in the line `# KEY: N`: late_percent_per_day is what a day of lateness costs, grace_days
# are those of each student that cost nothing. 0 without one.
course_number() {
    local number
    number=$(KEY=$2 awk 'index($0, "# " ENVIRON["KEY"] ":") == 1 { sub(/^[^:]*: */, ""); print; exit }' "$1")
    [[ ${number:-0} =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "$1: $2: '$number' is no number"
    echo "${number:-0}"
}

# extensions FILE: STUDENT EXERCISE DUE of each row.
extensions() {
    local number student name when seconds
    lines_of "$1" student exercise due | while IFS=$'\t' read -r number student name when; do
        exercise "$1:$number" "$name"
        due "$1:$number" "$when"
        [ "$seconds" != - ] || die "$1:$number: column 'due': there is none"
        printf '%s\t%s\t%s\n' "${student#\'}" "$name" "$seconds"
    done
    return $((PIPESTATUS[0] | PIPESTATUS[1]))
}

# groups FILE: EXERCISE GROUP STUDENT of each row; in that of the exercise `*` for every exercise.
groups() {
    local number name group student seen=$'\n' lab
    lines_of "$1" exercise group student | while IFS=$'\t' read -r number name group student; do
        [ "$name" = '*' ] || exercise "$1:$number" "$name"
        { [ "$group" != - ] && [ "$student" != - ]; } || die "$1:$number: wants the columns exercise, group and student"
        [[ $student != */* && $student != .* ]] || die "$1:$number: column 'student': '$student' is no name of a student"
        for lab in "$LABS"/$name/; do
            [ -x "$lab/check" ] || continue
            lab=${lab%/} lab=${lab##*/}
            case $seen in *$'\n'"$lab/$student"$'\n'*) die "$1:$number: a second group of $student in $lab" ;; esac
            seen+=$lab/$student$'\n'
            printf '%s\t%s\t%s\n' "$lab" "$group" "${student#\'}"
        done
    done
    return $((PIPESTATUS[0] | PIPESTATUS[1]))
}

# partners OUT: of a folder of marks with a groups.tsv: STUDENT EXERCISE OWNER for each student whose work in this exercise is what
# OWNER handed in: who did so last in the group or, where that is not known, the first in groups.tsv.
partners() {
    local rows
    [ -f "$1/groups.tsv" ] || return 0
    rows=$(groups "$1/groups.tsv") || return
    awk -F '\t' -v OFS='\t' "$cells"'
        when == "work" { has[$0]; next }
        when == "received" { if (!/^#/ && $5 > last[raw($1) "/" $4]) last[raw($1) "/" $4] = $5; next }
        {
            group = $1 FS $2
            who[++count] = $3
            of[count] = group
            key = $3 "/" $1
            if (!(key in has)) next
            time = (key in last ? last[key] : last[$3 "/all"]) + 0
            if (!(group in owner) || time > best[group]) { owner[group] = $3; best[group] = time }
        }
        END {
            for (k = 1; k <= count; k++) {
                split(of[k], part, FS)
                if (of[k] in owner && owner[of[k]] != who[k]) print who[k], part[1], owner[of[k]]
            }
        }' when=work <(find "$1/work" -mindepth 2 -maxdepth 2 -type d -printf '%P\n') \
        when=received "$(if [ -f "$1/received.tsv" ]; then echo "$1/received.tsv"; else echo /dev/null; fi)" when=groups - <<<"$rows"
}

# marked_rows OUT: the rows that the checks gave, after the STUDENT whom they mark, and before the one whose work it was.
marked_rows() {
    local student shared
    shared=$(partners "$1") || return
    while IFS= read -r -d '' student; do
        [ ! -s "$1/students/$student.tsv" ] || sed '/^#/d' "$1/students/$student.tsv" | sed 1d |
            STUDENT=$student awk -v OFS='\t' '{ print ENVIRON["STUDENT"], $0 }'
    done <"$1/students.list" | awk -F '\t' -v OFS='\t' '
        of == "partners" { owner[$1, $2] = $3; next }
        { key[++rows] = $1 SUBSEP $2; row[rows] = $0; lines[$1, $2] = lines[$1, $2] " " rows }
        function print_as(who, mine, whose,   k, n, line) {
            n = split(lines[mine], line, " ")
            for (k = 1; k <= n; k++) print who substr(row[line[k]], index(row[line[k]], FS)), whose
        }
        END {
            for (r = 1; r <= rows; r++) {
                if (done[key[r]]++) continue
                split(key[r], part, SUBSEP)
                whose = key[r] in owner ? owner[key[r]] : part[1]
                print_as(part[1], ((whose, part[2]) in lines) ? whose SUBSEP part[2] : key[r], whose)
            }
        }' of=partners <(print_lines ${shared:+"$shared"}) of=rows -
}
