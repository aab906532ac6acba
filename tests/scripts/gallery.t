#!/usr/bin/env bash
# gallery.t: scripts/gallery has every recorded machine in its table, that of tests/machines is up to date, and
# untrusted machines do no harm in it.
. "${0%/*}/../tap.sh"
plain_linux_alone

[ "$VARIANT" = plain ] || skip_all 'the plain build runs it; recorded.t detects with sanitizers'
gallery=$ROOT/scripts/gallery

exits 0 'gallery: the recorded machines are a table' "$gallery"
cp "$TMP/out" "$TMP/table"
same 'gallery: the tables of the recorded machines are up to date (else: scripts/gallery --readme)' "$(cat "$TMP/table")" \
    "$(sed -n '/^<!-- scripts\/gallery/,/^<!-- end -->/p' "$ROOT/tests/machines/README.md" | sed '1d;$d')"
matches 'gallery: it says how many answers are right' '^\| high \| [0-9]+ \| [0-9]+ \| [0-9]+ \|$' "$TMP/table"
same 'gallery: each machine with published sizes has its row' \
    "$(cd "$ROOT/tests/machines" && for f in */truth.tsv; do echo "${f%/*}"; done)" \
    "$(sed -n 's/^| .*(\([^ ]*\)) | published |.*/\1/p' "$TMP/table")"

# A machine that somebody sends.
machine="$TMP/odd | <one>"
mkdir "$machine"
printf 'structure\tlevel\tentries\tways\tsets\tsource\ndtlb\t1\t64\t64\t1\tx\ncache\t1\t512\t8\t64\tx\n' >"$machine/truth.tsv"
simulate --seed 1 zen4 </dev/null |
    sed 's/^# cpu: .*//' | sed '1i\# cpu: <script>alert(1)</script> | x' >"$machine/sweep.tsv"
simulate --preset geometry --seed 1 zen4 </dev/null | sed '/^# cpu: /d' >"$machine/geometry.tsv"
exits 0 'gallery: an odd machine is a table' "$gallery" "$machine"
same 'gallery: an odd machine has its cells' \
    '| &lt;script&gt;alert(1)&lt;/script&gt; \| x (odd \| &lt;one&gt;) | published | 64 | - | - | - | 32 | - |' \
    "$(sed -n 3p "$TMP/out")"
matches 'gallery: an odd machine is detected' "^\| \| sweep.tsv \| 72, high \|" "$TMP/out"
matches 'gallery: ways are those of geometry' '^\| \| geometry.tsv \| 72, high \| 3072, high; 12 ways \|' "$TMP/out"
if [ -n "${LONG-}" ] && command -v gnuplot >/dev/null && python3 -c '' 2>/dev/null; then
    exits 0 'gallery: --html is a page' "$gallery" --html "$machine" "$ROOT/tests/machines/intel-xeon-guest/"
    check 'gallery: --html is well-formed, with each id once' python3 -c '
import sys, xml.etree.ElementTree as tree
ids = [e.get("id") for e in tree.parse(sys.argv[1]).iter() if e.get("id")]
assert ids and len(ids) == len(set(ids))' "$TMP/out"
    same 'gallery: --html has a picture of each recording' 6 "$(grep -c '^<svg' "$TMP/out")"
    lacks 'gallery: --html has no script' '<script' "$TMP/out"
    matches 'gallery: --html says how many answers are right' '>high</td><td class="text">[0-9]+</td>' "$TMP/out"
    matches 'gallery: --html has what is published of other processors' '>AMD Zen 1 \(zen1\)</td><td class="text">64</td><td class="text">1536; 12 ways</td>' "$TMP/out"
else
    skip 'gallery: --html is a page' 'it takes long, or there is no gnuplot or no python3'
fi
exits 2 'gallery: a folder that is no recorded machine is refused' "$gallery" "$TMP"
matches 'gallery: a folder that is no recorded machine is named' '^gallery: .*truth.tsv: cannot be read' "$TMP/err"
echo "dtlb${tab}x" >>"$machine/sweep.tsv"
exits_saying 2 'gallery: bad samples are refused' '^gallery: detect: .*sweep.tsv:[0-9]+: ' "$gallery" "$machine"
same 'gallery: bad samples give no table' '' "$(cat "$TMP/out")"
finish_tests
