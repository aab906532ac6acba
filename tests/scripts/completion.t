#!/usr/bin/env bash
# completion.t: what completes the command tlblab in the shells, made from --help of the programs.
. "${0%/*}/../tap.sh"
plain_linux_alone

for shell in bash ${LONG:+zsh} fish; do
    exits 0 "completion: that of $shell is made" "$ROOT/scripts/completion" "$shell"
    cp "$TMP/out" "$TMP/for.$shell"
    same "completion: that of $shell causes no message" '' "$(cat "$TMP/err")"
    if command -v "$shell" >/dev/null; then
        check "completion: $shell can read it" "$shell" -n "$TMP/for.$shell"
    else
        skip "completion: $shell can read it" "no $shell here"
    fi
done
exits 2 'completion: another shell is refused' "$ROOT/scripts/completion" csh

# completed WORD...: what bash offers for the last word.
completed() {
    bash --norc -c '. "$1"; shift; complete -p tlblab >/dev/null || exit
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _tlblab; echo "${COMPREPLY[*]}"' bash "$TMP/for.bash" "$@"
}
same 'completion: a command' 'measure' "$(completed tlblab me)"
same 'completion: a program' 'sweep' "$(completed tlblab sw)"
same 'completion: an option' '--preset' "$(completed tlblab sweep --pres)"
same 'completion: the words of an option' 'caches' "$(completed tlblab sweep --preset ca)"
same 'completion: a machine' 'zen4' "$(completed tlblab tlbsim --machine zen4)"
same 'completion: a machine as an operand' 'zen4' "$(completed tlblab simulate zen4)"
same 'completion: a method' 'segment' "$(completed tlblab detect --method seg)"
same 'completion: what answers are by' 'file host' "$(completed tlblab detect --by '')"
same 'completion: what misses are by' 'object object,function' "$(completed tlblab misses --by obj)"
same 'completion: a form' 'tinymembench' "$(completed tlblab import tiny)"
same 'completion: the words of a format' 'pdf png' "$(completed tlblab plot --format p | tr ' ' '\n' | sort | paste -s -d ' ')"
same 'completion: a kind of plot' 'montelius' "$(completed tlblab plot mont)"
same 'completion: a page' 'coming-from' "$(completed tlblab help com | tr ' ' '\n' | grep -v compare)"
same 'completion: a stage' 'geometry' "$(completed tlblab measure tlb ge)"
same "completion: a program's own command" 'predict' "$(completed tlblab slicehash pre)"
same 'completion: a file is left to the shell' '' "$(completed tlblab slicehash --hash pre)"
same 'completion: an option of a script' '--no-sweep' "$(completed tlblab record --no)"
if command -v fish >/dev/null; then
    # offered LINE: what fish offers for it.
    offered() { HOME=$TMP fish --no-config -c ". '$TMP/for.fish'; complete -C '$1'" | cut -f 1; }
    same 'completion: fish completes a command' measure "$(offered 'tlblab mea')"
    same 'completion: fish completes the words of an option' caches "$(offered 'tlblab sweep --preset ca')"
    same 'completion: fish completes a kind of plot' montelius "$(offered 'tlblab plot mont')"
else
    skip 'completion: fish completes' 'no fish here'
fi
for name in $("$ROOT/scripts/tlblab" list | awk '{ print $1 }'); do
    same "completion: every option of $name" "$("$name" --help | sed '/^More help:/,/^$/d' | grep -oE '^  --[a-z-]+' | tr -d ' ' | paste -s -d ' ')" \
        "$(completed tlblab "$name" --)"
done
finish_tests
