# course.sh: reads a course file, a table with a row for each exercise of the course: `exercise` (06-chase, or 06)
# and, where they are given, `weight`, `due`, `points` (what full marks are worth in the gradebook), and
# `assignment` (its heading in the gradebook of Canvas).
# shellcheck shell=bash disable=SC2154 # LABS is of grading.sh

# course FILE: prints EXERCISE WEIGHT DUE POINTS ASSIGNMENT of each row, tab-separated, DUE in seconds since 1970, and `-` for
# what is not given. A day is due at its end. Ends with status 2 where a line is wrong.
course() {
    local file=$1 number name weight due points assignment lab seen=' ' seconds
    { [ -f "$file" ] && [ -r "$file" ]; } || say_and_die "$file: cannot be read"
    awk -F '\t' -v OFS='\t' '
        function trim(s) { gsub(/^[ \r]+|[ \r]+$/, "", s); return s }
        function cell(name) { return name in at && trim($at[name]) != "" ? trim($at[name]) : "-" }
        /^#/ || /^[ \t\r]*$/ { next }
        !head { head = 1; for (i = 1; i <= NF; i++) at[trim($i)] = i; next }
        { print FNR, cell("exercise"), cell("weight"), cell("due"), cell("points"), cell("assignment") }' <"$file" |
        while IFS=$'\t' read -r number name weight due points assignment; do
            lab=$(echo "$LABS/${name%%-*}"-*)
            { [ -x "$lab/check" ] && [[ ${lab##*/}- == "$name"-* ]]; } ||
                say_and_die "$file:$number: column 'exercise': no exercise '$name'"
            name=${lab##*/}
            case $seen in *" $name "*) say_and_die "$file:$number: column 'exercise': a second $name" ;; esac
            seen+="$name "
            [[ $weight =~ ^(-|[0-9]+(\.[0-9]+)?)$ ]] || say_and_die "$file:$number: column 'weight': '$weight' is no number"
            [[ $points =~ ^(-|[0-9]+(\.[0-9]+)?)$ ]] || say_and_die "$file:$number: column 'points': '$points' is no number"
            seconds=-
            [[ ! $due =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || due+='T23:59:59'
            [ "$due" = - ] || seconds=$(date -d "$due" +%s 2>/dev/null) ||
                say_and_die "$file:$number: column 'due': '$due' is no date such as 2027-01-31T18:00"
            printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$weight" "$seconds" "$points" "$assignment"
        done
}

# late_percent FILE: what a day of lateness costs, from the line `# late_percent_per_day: N`; 0 without one.
late_percent() {
    local percent
    percent=$(sed -n 's/^# late_percent_per_day: *//p' <"$1" | head -n 1)
    [[ ${percent:-0} =~ ^[0-9]+(\.[0-9]+)?$ ]] || say_and_die "$1: late_percent_per_day: '$percent' is no number"
    echo "${percent:-0}"
}
