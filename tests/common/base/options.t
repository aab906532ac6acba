#!/usr/bin/env bash
# options.t: habits of all programs: the rules that --help shows hold, a mistyped option is recognised, -q is
# --quiet, and an option takes one kind of value everywhere.
. "${0%/*}/../../tap.sh"
plain_linux_alone
cd "$TMP" || exit 2
# tlbcc hands options on to the compiler.
mapfile -t names < <("$ROOT/scripts/tlblab" list | awk '$1 !~ /^tlbc(c|\+\+)$/ { print $1 }')
check 'options: there are programs' test "${#names[@]}" -gt 20

# options NAME: a line for each: option, name of its value or -, and from where there are rules, its help.
options() {
    COLUMNS=200 "$1" --help | awk '
        /^  --/ { print line; line = $1 " " ($2 ~ /^[A-Z]|\|/ ? $2 : "-") " " $0; sub(/,|\[[^ ]*/, "", line); next }
        /^      / { sub(/^ +/, " "); line = line $0; next }
        { print line; line = "" }' | grep '^--'
}

# value OPTION METAVAR: one that the option takes, if any.
value() {
    case $1:$2 in
    --kernel:*) echo read ;;
    --backing:*) echo scattered ;;
    --preset:* | --density:*) "$name" --help presets | awk -v low="$1" 'NR == 2 { print low == "--density" ? "low" : $1 }' ;;
    --method:*) echo control ;;
    --core-kind:*) echo performance ;;
    --to:*) echo table ;;
    --by:NAME) echo page ;;
    --by:*) echo file ;;
    *:-) ;;
    *:SIZE) echo 16k ;;
    *:SECONDS | *:PERCENT | *:X | *:N | *:RANGE | *:LINES | *:PAGES | *:FD) echo 64 ;;
    *) echo x ;;
    esac
}

# metavar OPTION: of this program.
metavar() { awk -v option="$1" '$1 == option { print $2 }' list; }

# refused REGEX RULE WORD...
refused() {
    exits_saying 2 "options: $2" "^$name: $1" "${@:3}" </dev/null
}

# rules_hold: of `name`, whose options are in the file list.
rules_hold() {
    local option value rest items item run=("$name") words
    case $name in gpu) run=(gpu chase) ;; slicehash) run=(slicehash predict) ;; esac
    while read -r option value rest; do
        mapfile -t words < <(value "$option" "$value")
        if [[ $rest == *"; needs "* && $option != --cdf ]]; then # --cdf needs a default
            refused "$option needs " "$name $option needs something" "${run[@]}" "$option" "${words[@]}"
        fi
        [[ $rest == *"; not with "* ]] || continue
        items=${rest##*; not with }
        items=${items//,/} && items=${items// or / }
        for item in $(grep -oE -- '--[a-z-]+( [a-z][a-z-]*)?|[A-Z]+' <<<"$items" | tr ' ' =); do
            case $item in
            [A-Z]*) item=operand ;;
            *=*) ;;
            *) item=$item=$(value "$item" "$(metavar "$item")") && item=${item%=} ;;
            esac
            refused '.*(does not go with|needs) ' "$name $option does not go with $item" \
                "${run[@]}" "$option" "${words[@]}" "$item"
        done
    done <list
}

for name in "${names[@]}"; do
    options "$name" >list
    awk -v name="$name" '{ print $1, $2, name }' list >>values
    exits 0 "options: $name knows -q" "$name" -q --version
    rules_hold
    while read -r option value _; do
        [ "$value" = - ] || { "$name" "$option" '' 2>&1 >out </dev/null | grep -qe "$option" && [ ! -s out ]; } || echo "$name $option"
    done <list >>taken
    while read -r option; do
        wrong=--${option:2:1}q${option:3}
        exits 2 "options: $name $wrong is refused" "$name" "$wrong"
        matches "options: $name $wrong: it says what was meant" "unknown option '$wrong': did you mean '$option'\\?" err
    done < <(cut -d ' ' -f 1 list | sort -u) # each topic of --help is a line
done

same 'options: nothing is no value' '' "$(cat taken)"
# misses counts for other things than files; a size may be a list of them; tlbrun traces to a function; a trace is
# read or written.
same 'options: each takes one kind of value, whatever the program' '--by --bytes --spacing --to --trace' \
    "$(awk '!(($1, $2) in seen) { seen[$1, $2]; n[$1]++ } END { for (o in n) if (n[o] > 1) print o }' values | sort | paste -s -d ' ')"
for name in measure plot page fleet; do
    "$ROOT/scripts/tlblab" "$name" --help >help
    while read -r option _; do
        option=${option%,} wrong=--${option:2:1}q${option:3}
        exits 2 "options: tlblab $name $wrong is refused" "$ROOT/scripts/tlblab" "$name" "$wrong"
        matches "options: tlblab $name $wrong: it says what was meant" "unknown option $wrong: did you mean '$option'\\?" err
    done < <(grep '^  --' help)
done
finish_tests
