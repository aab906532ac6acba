#!/usr/bin/env bash
# constants.t: every number that decides an answer is tagged at its definition: [prior] is what is assumed of
# processors beforehand, [significance] how sure one must be, [physics] follows from how things work, [tuned:
# WHERE] was best somewhere, [bound] is room or work and no threshold.
. "${0%/*}/../tap.sh"
plain_linux_alone
cd "$ROOT" || exit 2
# The form of records, in files and in a ring, is no method's.
rooms=()
for file in src/{tlb/{curve,laps,detect,cost,geometry,plan},memory/{cores,card},trace/{format,tlbs,attribution,saving},slices/*}/*.[ch]; do
    case $file in
        */format/block.* | */format/re* | */format/ring* | */format/trace*) ;;
        *) rooms+=("$file") ;;
    esac
done

# untagged FILE...: definitions of numbers without a tag on their line, or above them in the same
# run of lines.
untagged() {
    awk '
        FNR == 1 || /^$/ { tagged = 0 }
        /\[(prior|significance|physics(: [^]]+)?|tuned: [^]]+|bound)\]/ { tagged = 1 }
        /^( *static )?const (double|uint64_t|unsigned)[^(]* = / ||
        /^enum \{.* = / || /^    [A-Z_]+ = [^;]*,?$/ || /^#define [A-Z_]+ +[(0-9]/ {
            if (!tagged && !/= (sizeof|-1)/) print FILENAME ":" FNR ": " $0
        }' "$@"
}

# nameless FILE...: decimal numbers within expressions; halves, quarters and tenths, one and two mean
# themselves.
nameless() {
    awk '
        /^ *static const|^const double|^#define|^enum|^                    [a-z]/ { next }
        { line = $0; sub(/\/\*.*/, ""); gsub(/"[^"]*"/, "") }
        /^ \*|^ *\*/ { next }
        {
            while (match($0, /(^|[^A-Za-z0-9_.])[0-9]+\.[0-9]+/)) {
                number = substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
                gsub(/[^0-9.]/, "", number)
                if (number !~ /^(0\.(1|2?5|75|8|9)|[12]\.0)$/) print FILENAME ":" FNR ": " line
            }
        }' "$@"
}

same 'src: every threshold and constant of a method is tagged' '' \
    "$(untagged "${rooms[@]}")"
same 'src: a number that decides something has a name' '' \
    "$(nameless "${rooms[@]}")"

printf 'static const double bare = 3;\n\nenum { ROOM = 4 }; /* [bound] */\n' >"$TMP/bare.c"
printf 'x = 1.37 * y;\n' >"$TMP/nameless.c"
matches 'constants.t: a definition without a tag is found' 'bare = 3' <(untagged "$TMP/bare.c")
matches 'constants.t: a number without a name is found' '1.37' <(nameless "$TMP/nameless.c")

finish_tests
