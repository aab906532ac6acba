#!/usr/bin/env bash
# nasty.t: names of files, hosts and machines that strangers choose are data for every script: none runs, and each is
# shown as it is.
# shellcheck disable=SC2016 # nothing of a name is to be expanded
. "${0%/*}/../tap.sh"
. "${0%/*}/../nasty.sh"
plain_linux_alone

# ---- tables with such names ----

samples=$ROOT/tests/data/plot-samples.tsv
mkdir "$TMP/in" && cd "$TMP/in" || exit 2
for name in "${nasty[@]}" "$two_lines"; do cp "$samples" "./$name"; done
files=("${nasty[@]}" "$two_lines")
one_line=${two_lines//$'\n'/ }

# alone NAME: a picture by gnuplot itself; out.txt shows it.
alone() { gnuplot -c "$ROOT/plots/draw.gp" tlb/tlb "$1" "$2" >"$TAP_FOLDER/log" 2>&1 && [ -s "$2" ]; }
if command -v gnuplot >/dev/null; then
    exits 0 'plot: tables with nasty names are drawn' "$ROOT/scripts/plot" --terminal --title "${nasty[*]}" tlb -- "${files[@]}"
    failed=()
    for name in "${files[@]}"; do alone "$name" "$name.txt" || failed+=("$name"); done
    same 'plot: gnuplot alone draws each, into a file with such a name' '' "${failed[*]}"
    rm -- *.txt
    mkdir -p "$TMP/it's \$(pwned) a=b" && cp -R "$ROOT/plots" "$TMP/it's \$(pwned) a=b/plots"
    check 'plot: gnuplot alone draws in a folder with such a name' gnuplot -c "$TMP/it's \$(pwned) a=b/plots/draw.gp" tlb/tlb "$samples" "$TMP/alone.png"
    few=("${nasty[@]}")
    [ -n "${LONG-}" ] || few=("${nasty[@]:0:10}")
    for name in "${few[@]}"; do
        printf '# cpu: %s\npages\tns\n1\t2\n4\tfast\n' "$name" >"$name"
        "$ROOT/scripts/plot" --terminal tlb -- "$name" 2>&1 >"$TAP_FOLDER/log" | head -n 1
    done >"$TMP/said"
    same 'plot: what is wrong is reported with the name as it is' "$(printf "plot: %s:4: column 'ns': not a number: fast\n" "${few[@]}")" "$(cat "$TMP/said")"
    harmless plot

    # Hosts and processors in pictures, whose quotes are those that printers use.
    { printf 'entries\thost\tstructure\tlevel\n' && printf '64\t%s\tdtlb\t1\n' "${nasty[@]}"; } >"$TMP/hosts.tsv"
    exits 0 'plot: nasty hosts are drawn' "$ROOT/scripts/plot" --format svg fleet "$TMP/hosts.tsv"
    sed -n 's/&amp;/\&/g; s/&lt;/</g; s/&gt;/>/g; s/.*<text>\(.*\)<\/text>.*/\1/p' "$TMP/out" |
        sed "s/<tspan[^>]*>//g; s/<\/tspan>//g; s/&quot;/\"/g; s/&#39;/'/g; s/&#160;/ /g" >"$TMP/texts"
    same 'plot: nasty hosts are shown as they are' "$(printf '%s\n' "${nasty[@]}" | sed "s/\"/\xe2\x80\x9d/g; s/'/\xe2\x80\x99/g; s/\\\\/\xe2\x88\x96/g; s/^ *//; s/ *\$//" | sort)" \
        "$(grep -vE '^(64|dtlb 1|entries, and .*|Levels of .*)?$' "$TMP/texts" | sed 's/^ *//; s/ *$//' | sort)"
    { printf '# cpu: %s\n' "${nasty[*]}" && printf 'pages\tns\n1\t2\n4\t3\n'; } >"$TMP/title.tsv"
    exits 0 'plot: a nasty processor is drawn' "$ROOT/scripts/plot" --format svg tlb "$TMP/title.tsv"
    harmless 'plot: hosts and processors'
else
    skip 'plot: tables with nasty names are drawn' 'no gnuplot here'
fi

# ---- pages and comparisons ----

for name in "${files[@]}"; do
    shown=${name//$'\n'/ }
    printf '# command: %s\n# %s: x\nwhat\tother\n%s\t1\n' "$shown" "$shown" "$shown" >"./$name"
done
exits 0 'page: tables with nasty names are a page' "$ROOT/scripts/page" --title "${nasty[*]}" -- "${files[@]}"
plain() { sed "s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&amp;/\&/g"; }
same 'page: each name is shown as it is' "$(printf 'table: %s\n' "${nasty[@]}" "$one_line")" "$(grep '^<h3>' "$TMP/out" | plain)"
same 'page: the title is shown as it is' "${nasty[*]}" "$(sed -n '/^<h1>/p' "$TMP/out" | plain)"
printf '# page-file: x\n# page\377-file: y\n# command: \nwhat\tother\na\t1\n' >"$TMP/forged.tsv"
exits 0 'page: a line of a table passes for no name of a file' "$ROOT/scripts/page" "$TMP/forged.tsv"
same 'page: ... and the table has its own name' "table: $TMP/forged.tsv" "$(grep '^<h3>' "$TMP/out" | plain)"
harmless page

plain_inputs simulate
simulate --seed 1 zen4 >"$TMP/zen4.tsv"
cp "$TMP/zen4.tsv" "./it's \`pwned\`"
cp "$TMP/zen4.tsv" './a=$(pwned)'
compare --quiet -- "it's \`pwned\`" './a=$(pwned)' >"$TMP/compared.tsv" 2>/dev/null
matches 'compare: nasty names are in its table' "^# a: .*it's \`pwned\`$" "$TMP/compared.tsv"
! command -v gnuplot >/dev/null || exits 0 'compare: nasty names are drawn' "$ROOT/scripts/plot" --terminal compare "$TMP/compared.tsv"
harmless compare

# ---- a recorded machine ----

node=$TMP/root/sys/devices/system/node
mkdir -p "$node/node0"
echo '0,1[$(pwned)],2a' >"$node/online"
echo '0a[$(pwned)]' >"$node/has_memory"
echo '10 $(pwned)' >"$node/node0/distance"
echo 'x[$(pwned)]' >"$node/node0/cpulist"
"$ROOT/scripts/nodes" --sysroot "$TMP/root" --bytes 64k --samples 1 >"$TMP/out" 2>"$TMP/err"
lacks 'nodes: a number of a node is a number' pwned "$TMP/out"
mkdir "$TMP/machine"
{ printf '# cpu: %s\n' 'x\ty&z|' && sed '/^# cpu/d' "$TMP/zen4.tsv"; } >"$TMP/machine/sweep.tsv"
printf 'structure\tlevel\tentries\tsource\ndtlb\t1\t72\tx\n' >"$TMP/machine/truth.tsv"
prints 'gallery: a nasty processor is listed' '^\| x\\ty&amp;z\\\| \(machine\)' "$ROOT/scripts/gallery" "$TMP/machine"
harmless 'nodes, gallery'

# ---- the rule ----

# A sed program in double quotes that expands something.
cat >"$TMP/rule" <<'END'
(^|[^a-z_])sed( -[a-zA-Z]+)* "([^"\\]|\\.)*\$[A-Za-z{(0-9]
 -e "([^"\\]|\\.)*\$[A-Za-z{(0-9]
END
(cd "$ROOT" && grep -rnE -f "$TMP/rule" scripts labs | grep -w sed | grep -vE '^[^:]*\.md:') >"$TMP/found"
same 'scripts: no sed program is built of data' '' "$(cut -d : -f 1,2 "$TMP/found")"
finish_tests
