#!/usr/bin/env bash
# page.t: scripts/page writes a run as one page: well-formed, with all rows, in cells or packed, and all sentences, safe with hostile
# tables, and nothing in it is fetched or run.
. "${0%/*}/../tap.sh"
plain_linux_alone

[ "$VARIANT" = plain ] || skip_all 'the plain build runs it; each program has sanitized tests of its own'
command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
python3 -c '' 2>/dev/null || skip_all 'no python3 here'
page=$ROOT/scripts/page
sweep=$ROOT/tests/machines/amd-epyc-guest/sweep.tsv

# read_page FILE [TAG...]: the texts of these elements, one a line; without any, what a page must not have.
cat >"$TMP/read_page" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
name = lambda element: element.tag.split("}")[-1]
if sys.argv[2:]:
    for e in root.iter():
        if name(e) in sys.argv[2:]:
            print(" ".join("".join(e.itertext()).split()))
packed = "data:application/gzip;base64,"
ids = [e.get("id") for e in root.iter() if e.get("id")]
for e in root.iter() if not sys.argv[2:] else []:
    if name(e) in ("script", "img", "link", "iframe", "object") or name(e) == "a" and not e.get("href").startswith(packed):
        print("element", name(e))
    for key, value in e.attrib.items():
        key = key.split("}")[-1]
        if key.startswith("on") or key in ("src", "href") and value[1:] not in ids and not value.startswith(packed):
            print("attribute", key, value)
        if key == "id" and ids.count(value) > 1:
            print("twice", value)
PYTHON
read_page() { python3 "$TMP/read_page" "$@"; }
harmless() {
    read_page "$TMP/out" >"$TMP/found" 2>&1
    same "page: $1: well-formed, each id once, nothing fetched or run" '' "$(cat "$TMP/found")"
}

detect --claims "$sweep" >"$TMP/boundaries.tsv" 2>/dev/null
walkpenalty "$sweep" >"$TMP/penalties.tsv" 2>/dev/null
run=("$sweep" "$TMP/boundaries.tsv" "$TMP/penalties.tsv")
exits 0 'page: a run is a page' "$page" "${run[@]}"
cp "$TMP/out" "$TMP/run.html"
same 'page: a run needs no remark' '' "$(cat "$TMP/err")"
harmless 'a run'
same 'page: all sentences of the report are there, in order' \
    "$(report "${run[@]}" | tr -d '[]' | tr -s ' ' '\n' | sed '/^$/d')" \
    "$(sed '/<figure>/,$d' "$TMP/out" | sed -n '/<h1>/,$p' | { echo '<r>' && cat && echo '</r>'; } >"$TMP/part" &&
        read_page "$TMP/part" r | tr ' ' '\n')"
same 'page: all rows of short tables are there, and of a long one the first 50' \
    "$((51 + $(cat "${run[@]:1}" | grep -vc '^#')))" "$(read_page "$TMP/out" tr | grep -c .)"
same 'page: all fields of these rows are there' "$(grep -v '^#' "$sweep" | sed '1d; 51q' | tr '\t' '\n' | sort | cksum)" \
    "$(sed -n '/<h3>samples/,/<h3>bound/p' "$TMP/out" | grep '^<td' | sed 's/<[^>]*>//g' | sort | cksum)"
same 'page: the whole of a long table is in its link' "$(cksum <"$sweep")" \
    "$(sed -n 's/.*base64,\([^"]*\)".*/\1/p' "$TMP/out" | base64 -d | gunzip | cksum)"
check 'page: a page is short' test "$(wc -c <"$TMP/out")" -lt 1000000
read_page "$TMP/out" title >"$TMP/titles"
matches 'page: a sample shows its values to the pointer' '^[0-9]+ nodes: [0-9.]+ ns \(90th' "$TMP/titles"
read_page "$TMP/out" pre >"$TMP/commands"
matches 'page: the commands of the run are there' '\$ detect --claims' "$TMP/commands"
read_page "$TMP/out" dt dd | paste -s -d ' ' - >"$TMP/facts"
matches 'page: the machine is there' 'l2_bytes [0-9]+' "$TMP/facts"
matches 'page: it knows dark, paper and phones' 'prefers-color-scheme: dark' "$TMP/out"
exits 0 'page: concatenated tables on stdin are the same run' "$page" --title 'Mine & yours' < <(cat "${run[@]}")
matches 'page: --title is the title' '^<h1>Mine &amp; yours</h1>$' "$TMP/out"
same 'page: concatenated tables have all rows too' "$(read_page "$TMP/run.html" td | cksum)" "$(read_page "$TMP/out" td | cksum)"

exits 0 'page: pairs of cores are a page without report' "$page" "$ROOT/tests/data/pairs.tsv"
harmless 'pairs of cores'
matches 'page: pairs of cores have their picture' 'id="picture-1-gnuplot_plot_1"' "$TMP/out"
bandwidth --quiet --op read,copy --bytes 4k,64k --threads 1 --samples 1 >"$TMP/rates.tsv" 2>/dev/null || rm "$TMP/rates.tsv"
if [ -s "$TMP/rates.tsv" ]; then
    exits 2 'page: the rates of another machine are refused' "$page" "${run[@]}" "$TMP/rates.tsv"
    matches 'page: both machines are named' "rates.tsv:.* another machine: cpu '.*', but 'AMD EPYC' in " "$TMP/err"
    sed -i '/^# [a-z]/d' "$TMP/rates.tsv"
    exits 0 'page: several pictures fit into a page' "$page" "${run[@]}" "$TMP/rates.tsv" "$ROOT/tests/data/pairs.tsv"
    harmless 'several pictures'
    same 'page: several pictures are all there' 3 "$(grep -c '<svg' "$TMP/out")"
fi

printf 'object\tmisses\treads\twrites\tshare\tseconds\nheap\t8\t8\t0\t1\t-\n' >"$TMP/misses.tsv"
printf 'object\tbefore\tafter\tchange\tchange_percent\nheap\t8\t6\t-2\t-25\n' >"$TMP/changes.tsv"
exits 0 'page: misses of a program, and what has changed, are a page' "$page" "$TMP/misses.tsv" "$TMP/changes.tsv"
harmless 'misses'
same 'page: misses have a picture and their sections' '1 <h2>TLB Misses</h2><h2>Changed TLB Misses</h2>' \
    "$(grep -c '<svg' "$TMP/out") $(grep '<h2>.*Misses' "$TMP/out" | tr -d '\n')"

# A folder: samples of two commands, each with what was found in them.
mkdir "$TMP/folder"
cp "${run[@]}" "$TMP/folder"
printf '# command: sweep --preset caches\npages\tlayout\tspacing_bytes\tns\n64\tlocal\t64\t1\n1024\tlocal\t64\t4\n' >"$TMP/folder/caches.tsv"
exits 0 'page: a folder is a page' "$page" "$TMP/folder"
harmless 'a folder'
same 'page: samples of each command have their picture' 2 "$(grep -c '<svg' "$TMP/out")"
same 'page: boundaries are in the picture of their samples' 1 \
    "$(awk '/<svg/ { n++ } /dTLB 1: 72 (entries|.claimed)/ { seen[n] } END { print length(seen) }' "$TMP/out")"

exits 0 "page: the printed lab's tables are a page" "$page" "$ROOT"/tests/data/lab-{4k,64}.dat
harmless "the printed lab's tables"
same "page: the printed lab's tables have their headers, after #, and a picture" '2 1' \
    "$(grep -c '<th[^>]*> *pages' "$TMP/out") $(grep -c '<svg' "$TMP/out")"

# A hostile run: in metadata, fields, a file's name and the title.
evil='</td></pre></style><script>alert(1)</script><img src=//x onerror="y">&lt;&'
hostile="$TMP/a\"><script>'.tsv"
# shellcheck disable=SC2016 # of awk
EVIL=$evil awk -F '\t' -v OFS='\t' '
    /^# cpu: / { print "# cpu: " ENVIRON["EVIL"]; print "# <b>: " ENVIRON["EVIL"]; print "# command: " ENVIRON["EVIL"]; next }
    /^#/ { print; next }
    { print $0, at++ ? ENVIRON["EVIL"] "\001\377\302\233" : "<h1>" }' "$sweep" >"$hostile"
exits 0 'page: hostile tables are a page' "$page" --title "$evil" "$hostile"
harmless 'hostile tables'
same 'page: a hostile title is shown as it is' "$evil" "$(read_page "$TMP/out" h1)"
same 'page: hostile fields are shown as they are' "$evil??" "$(read_page "$TMP/out" td | grep '^<' | sort -u)"
read_page "$TMP/out" dd pre >"$TMP/facts"
same 'page: hostile metadata are shown as they are' 4 "$(grep -cF -- "$evil" "$TMP/facts")"
read_page "$TMP/out" h3 >"$TMP/names"
matches 'page: a hostile file name is shown as it is' "a\"><script>'.tsv\$" "$TMP/names"

exits_saying 2 'page: a file that is not there is refused' "^page: .*none.tsv'?: No such file" "$page" "$TMP/none.tsv"
same 'page: without a file there is no page' '' "$(cat "$TMP/out")"
mkdir "$TMP/bare"
exits_saying 2 'page: a folder without tables is refused' '^page: .*/bare: the folder has no tables' "$page" "$TMP/bare"
exits 2 'page: an empty input is refused' "$page" </dev/null
exits 2 'page: rows without header are refused' "$page" <<<$'1\t2'
matches 'page: rows without header are reported with their line' '^page: -:1: no header' "$TMP/err"
exits 2 'page: bad data are refused' "$page" <<<$'pages\tns\n1\tfast'
same 'page: bad data give no page' '' "$(cat "$TMP/out")"
exits 1 'page: a table that cannot be drawn is a page without picture' "$page" <<<$'core_a\tcore_b\tmin_ns\n0\t1\t-'
matches 'page: what is missing is reported' "^page: no picture 'pairs': the table: no pair has a time" "$TMP/err"
harmless 'a page without picture'
head -c -5 "$sweep" >"$TMP/cut.tsv"
exits_saying 1 'page: a cut table is a page' 'report: .*cut.tsv.*newline' "$page" "$TMP/cut.tsv"
exits 2 'page: an unknown option is refused' "$page" --pdf
if [ -w /dev/full ]; then
    # shellcheck disable=SC2016 # the shell that is called expands it
    exits 2 'page: a full disk is an error' sh -c 'exec "$1" "$2" >/dev/full' sh "$ROOT/scripts/page" "$ROOT/tests/data/plot-boundaries.tsv"
    matches 'page: the error is one line of ours' '^page: cannot write the output: No space left' "$TMP/err"
fi
finish_tests
