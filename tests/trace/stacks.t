#!/usr/bin/env bash
# stacks.t: two blocks of memory are two objects where different calls took them.
. "${0%/*}/trace.sh"
plain_linux_alone
command -v gcc >/dev/null || skip_all 'no gcc here'
source=$ROOT/tests/trace/stacks

# line FILE TEXT: its number.
line() { grep -nF "$2" "$source.$1" | cut -d : -f 1; }
# objects [OPTION...]: the blocks of the trace, with their misses in thousands, sorted.
objects() {
    misses --quiet --by object "$@" trace | awk -F '\t' '/^heap/ { print $1 "=" int($2 / 1000) }' | sort | paste -s -d , -
}
run() { TLBLAB_TRACE="|tlbsim --machine zen4 --page-size 4K >trace" "./$1"; }

# An array, another one, two of a function that has no usual name, a pool.
first="heap main (stacks.c:$(line c 'first = '))=4" second="heap main (stacks.c:$(line c 'second = '))=5"
third="main (stacks.c:$(line c 'third = '))" fourth="main (stacks.c:$(line c 'fourth = '))"
array="new_array (stacks.c:$(line c '*array = '))" wrapper="xmalloc (stacks.c:$(line c 'memory = take('));take (stacks.c:$(line c 'memory = malloc('))"
pool="heap main (stacks.c:$(line c 'pool_open(&'));pool_open (stacks.c:$(line c 'memory = xmalloc('))=8"
levels=(-O0 -O2)
! echo 'int main(void) { return 0; }' | gcc -static -x c - -o static 2>/dev/null || levels+=('-O2 -static')
for level in "${levels[@]}"; do
    # shellcheck disable=SC2086 # one option or two
    tlbcc -g $level "$source.c" -o arrays && run arrays
    same "stacks: two arrays through one wrapper, and a pool, are objects of their own: $level" \
        "$first,$second,heap $third;$array=6,heap $fourth;$array=7,$pool" "$(objects)"
    same "stacks: a function of any name is skipped: $level" \
        "$first,$second,heap $third=6,heap $fourth=7,$pool" "$(objects --skip 'nothing,new_*')"
    same "stacks: one function of the stack: $level" "heap $array=13" "$(objects --depth 1 | tr , '\n' | grep new_array)"
    same "stacks: the whole stack, folded: $level" "heap;$third;$array;$wrapper=6 heap;$fourth;$array;$wrapper=7" \
        "$(objects --stack | tr , '\n' | grep new_array | paste -s -d ' ' -)"
done
tlbcc -g -O2 -DBARE "$source.c" -o bare && run bare
same 'stacks: code without frame pointers has its stacks too' "$first,$second,heap $third=6,heap $fourth=7,$pool" \
    "$(objects --skip 'new_*')"
misses --by object trace 2>err >/dev/null
same 'stacks: a program that is as it was traced gives no warning' '' "$(cat err)"
touch -d 2001-01-01 bare
misses --by object trace 2>err >/dev/null
matches 'stacks: a program that has changed since gives one' '/bare has changed since it was traced' err
TLBLAB_TRACE=accesses ./arrays
sed -e '1i\
' -e 's/second = xmalloc(5000/second = xmalloc(9000/; s/write_pages(second, 5000)/write_pages(second, 9000)/' "$source.c" >changed.c
cp trace before
tlbcc -g -O2 -DBARE changed.c -o changed && run changed
same 'stacks: beside an older trace objects have the same names, whatever their lines' 'heap main before=9000 after=13000' \
    "$(misses --quiet --by object --compare before trace | awk -F '\t' '$1 == "heap main" { print $1, "before=" int($2 / 1000) "000", "after=" int($3 / 1000) "000" }')"
fourth_at=${fourth#*\(}
same 'stacks: an object may be put on huge pages by a caller of what takes it' "heap $fourth:2M" \
    "$(misses --machine zen4 --skip new_array --huge "${fourth_at%)}" accesses | awk -F '\t' '$2 == "2M" { print $1 ":" $2 }')"
if command -v g++ >/dev/null; then
    for level in -O2 ${LONG:+-O0 '-O2 -flto'}; do
        # shellcheck disable=SC2086 # one option or two
        tlbc++ -g $level "$source.cc" -o vectors && run vectors
        same "stacks: two vectors of one function are two objects: $level" \
            "heap main (stacks.cc:$(line cc ' first('));[char]=8 heap main (stacks.cc:$(line cc ' second('));[char]=10" \
            "$(objects --skip 'shapes::*' | tr , '\n' | head -n 2 | paste -s -d ' ' -)"
        helper="filled (stacks.cc:$(line cc 'return std::vector'))"
        same "stacks: two vectors of a helper are two objects, be it expanded: $level" \
            "heap main (stacks.cc:$(line cc ' third ='));$helper;[char]=16 heap main (stacks.cc:$(line cc ' fourth ='));$helper;[char]=18" \
            "$(objects | tr , '\n' | grep filled | paste -s -d ' ' -)"
        same "stacks: buckets and nodes of a hash table are two objects: $level" \
            "heap main (stacks.cc:$(line cc 'map.reserve'));[std::__detail::_Hash_node_base*]=8 heap main (stacks.cc:$(line cc ' map[i'));[std::__detail::_Hash_node]=9" \
            "$(objects | tr , '\n' | grep _Hash | sort | paste -s -d ' ' -)"
        matches "stacks: what a function of the library takes in a function of ours is ours: $level" \
            "heap main \\(stacks.cc:$(line cc ' take();')\\);[^;]*operator\\(\\) \\(stacks.cc:$(line cc 'take = ')\\);\\[char\\]=14" <(objects)
        lacks "stacks: functions of local types are known as those of the library: $level" \
            '(;|heap )_[_M]' <(objects --stack)
        matches "stacks: names of C++ are those of the source: $level" \
            'main \(stacks.cc:[0-9]+\);(shapes::mesh::resize.*|)std::vector<char, std::allocator<char> >::' <(objects --stack)
    done
else
    skip 'stacks: two vectors of one function are two objects' 'no g++ here'
fi
exits 2 'stacks: a depth belongs to objects' misses --depth 2 trace
exits 2 'stacks: the whole stack has no depth' misses --by object --stack --depth 2 trace
strip -o stripped arrays && run stripped
misses --by object trace 2>err >/dev/null
matches 'stacks: a program without symbols is named, with what would help' '^misses: no symbols in stripped: .*-dbgsym' err
misses --by page trace 2>err >/dev/null
same 'stacks: but not where no name is asked for' '' "$(cat err)"
rm stripped
misses --by object trace 2>err >/dev/null
matches 'stacks: so is one that is no longer there' '^misses: .*/stripped is no longer there' err
finish_tests
