# names.sh: the part of intake that recognises exercises and files by the names that students give them.
# shellcheck shell=bash disable=SC2034,SC2154 # LABS and files_of are of grading.sh

declare -A slug_of=() # number -> NN-slug
slugs=()
for folder in "$LABS"/[0-9][0-9]-*/; do
    folder=${folder%/} && folder=${folder##*/}
    slug_of[${folder%%-*}]=$folder
    slugs+=("${folder#*-}")
done

# recognise NAME: sets `found` to the exercise that a folder's name means: 06-chase, 6_Chase, "06-chase
# (1)", 06, lab6, chase. A number with the slug of another exercise, or with an unknown one, means none.
recognise() {
    local name=${1,,} word='' number='' rest k
    found=''
    name=${name//[ _.]/-}
    while [[ $name =~ ^(.*[a-z0-9])-*(\([0-9]+\)|-copy|-final|-new)$ ]]; do name=${BASH_REMATCH[1]}; done
    rest=$name
    if [[ $name =~ ^((lab|labs|ex|exercise|task|assignment)-*)?0*([0-9]{1,2})(-*([a-z].*))?$ ]]; then
        word=${BASH_REMATCH[2]} rest=${BASH_REMATCH[5]}
        printf -v number %02d "$((10#${BASH_REMATCH[3]}))"
    fi
    for k in "${!slug_of[@]}"; do
        [[ $rest == "${slug_of[$k]#*-}" || $rest =~ ^"${slug_of[$k]#*-}"-[0-9]+$ ]] || continue
        [ "${number:-$k}" = "$k" ] || return 1
        found=${slug_of[$k]}
        return 0
    done
    # Without a slug the number says it, and a word before it.
    if [ -n "$number" ] && [ -z "$rest" ] && { [ -n "$word" ] || [ ${#name} -eq 2 ]; }; then
        found=${slug_of[$number]-}
    fi
    [ -n "$found" ]
}

# wanted EXERCISE: sets `files`, what is handed in there, by its name in small letters.
declare -A files=()
wanted() {
    local file
    files=()
    while read -r file; do files[${file,,}]=$file; done < <(files_of "$LABS/$1")
}

# plain_name NAME: sets `plain` to a file's name without what browsers and editors add: "Solution (1).c.txt".
plain_name() {
    plain=${1,,}
    while [[ $plain =~ ^(.*[^ ])\ *\([0-9]+\)(\.[a-z]+.*)$ ]]; do plain=${BASH_REMATCH[1]}${BASH_REMATCH[2]}; done
    case $plain in *.c.txt | *.dat.txt | *.txt.txt | *.p.txt) plain=${plain%.txt} ;; esac
}
