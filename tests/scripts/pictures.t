#!/usr/bin/env bash
# pictures.t: each kind of picture, drawn from a recording or a simulation, can be read: no text lies on another or
# leaves the page, the labels of an axis differ, every series has a line of its own style in the legend.
. "${0%/*}/../tap.sh"
plain_linux_alone
command -v gnuplot >/dev/null || skip_all 'no gnuplot here'
machines=$ROOT/tests/machines data=$ROOT/tests/data results=$ROOT/tests/bench/results
cd "$TMP" || exit 2

# faults SVG [NAME...]: what is wrong with a picture whose legend has these names, a line each.
cat >faults.pl <<'END'
use strict;
use warnings;
my ($svg, @names) = @ARGV;
open my $file, '<', $svg or die "$svg: $!\n";
my $all = do { local $/; <$file> };
sub plain {
    my ($text) = @_;
    $text =~ s/<[^>]*>//g;
    $text =~ s/&#160;/ /g;
    $text =~ s/&lt;/</g; $text =~ s/&gt;/>/g; $text =~ s/&quot;/"/g; $text =~ s/&#39;/'/g; $text =~ s/&amp;/&/g;
    return $text;
}
# Letters of DejaVu Sans in units of its size.
sub width {
    my ($text, $sum) = (@_, 0);
    utf8::decode($text);
    $sum += /[ilj.,:;'|!I() \[\]]/ ? 0.33 : /[mwMW%@]/ ? 0.88 : /[frtJ-]/ ? 0.41 : 0.6 for split //, $text;
    return $sum;
}
my (@boxes, %last, %seen);
while ($all =~ m{(<path stroke='black'\s+d='M([\d.]+),([\d.]+) L([\d.]+),([\d.]+)\s*'/>\s*)?<g transform="translate\(([-\d.]+),([-\d.]+)\)( rotate\(([-\d.]+)\))?"[^>]*font-size="([\d.]+)"[^>]*text-anchor="(\w+)">\s*<text>(.*?)</text>}gs) {
    my ($tick, $vertical, $x, $y, $turned, $size, $anchor, $text) = (defined $1, defined $2 && $2 == $4, $6, $7, defined $8, $10, $11, plain($12));
    next if $text =~ /^\s*$/;
    my $wide = $size * width($text);
    my $from = $anchor eq 'middle' ? -$wide / 2 : $anchor eq 'end' ? -$wide : 0;
    push @boxes, $turned ? [$x - 0.75 * $size, $y - $from - $wide, $x + 0.2 * $size, $y - $from, $text]
        : [$x + $from, $y - 0.75 * $size, $x + $from + $wide, $y + 0.2 * $size, $text];
    my $axis = $vertical ? "x $y" : "y $x"; # of panels side by side it is one
    print "a label of an axis twice: $text\n" if $tick && ($last{$axis} // '') eq $text;
    $last{$axis} = $text if $tick;
    $seen{$text} = 1;
}
my ($across, $down) = $all =~ /viewBox="0 0 (\d+) (\d+)"/;
print "no text\n" if !@boxes;
for my $k (0 .. $#boxes) {
    my $a = $boxes[$k];
    print "off the page: $a->[4]\n" if $a->[0] < 5 || $a->[1] < 5 || $a->[2] > $across - 5 || $a->[3] > $down;
    for my $b (@boxes[0 .. $k - 1]) {
        print "one upon the other: $a->[4], $b->[4]\n"
            if $a->[0] < $b->[2] + 8 && $b->[0] < $a->[2] + 8 && $a->[1] < $b->[3] + 3 && $b->[1] < $a->[3] + 3;
    }
}
for my $name (@names) { print "not in the legend: $name\n" if !$seen{$name} }
my ($floor) = sort { $b <=> $a } $all =~ /d='M[\d.]+,[\d.]+ L[\d.]+,([\d.]+) L[\d.]+,\1 M/g;
my %styles;
while ($all =~ m{<g id="gnuplot_plot_\w+" ><title>(.*?)</title>(.*?)(?=<g id="gnuplot_plot|\z)}gs) {
    my ($title, $body) = (plain($1), $2);
    next if $body !~ m{<text>(?:<tspan[^>]*>)?(.*?)</text>}s || plain($1) ne $title;
    print "on the curves: $title\n" if defined $floor && $body =~ /translate\([\d.]+,([\d.]+)\)/ && $1 < $floor;
    print "off the page: the line of $title\n" if $body =~ /d='M([\d.]+),[\d.]+ L([\d.]+),/ && ($1 < 0 || $2 > $across - 20); # a PNG drops it then
    my ($line) = $body =~ /<path (stroke='rgb[^']*'(?:\s+stroke-dasharray='[^']*')?)/;
    my ($shape) = $body =~ /<use xlink:href='([^']*)'[^>]*color='[^']*'/;
    my ($colour) = $body =~ /<use [^>]*color='([^']*)'/;
    my ($filled) = $body =~ /<polygon fill\s*=\s*'([^']*)'/;
    my $style = join ' ', map { defined $_ ? $_ : '-' } $line, $shape, $colour, $filled;
    print "the same style: $title, $styles{$style}\n" if exists $styles{$style};
    $styles{$style} = $title;
}
END
faults() { perl faults.pl "$@" | sort -u; }

# names KIND FILE...: of the series, as the data of the picture have them.
names() {
    awk -v dumb=0 -f "$ROOT/plots/table.awk" -f "$ROOT/plots"/*/"${1/average/cdf}.awk" "${@:2}" |
        awk -F '\t' '/^# curves / { curves = substr($0, 10) + 0 } /^#/ { next } head == 0 && NF && done++ < curves { print $2 } { head = NF }'
}

# picture NAME KIND FILE...: each kind once, in scripts/test --all every picture.
picture() {
    case ${LONG:-" ${kinds[*]-} "} in *" $2 "*) return ;; esac
    kinds+=("$2")
    readable "$@"
}
readable() {
    local name=$1 kind=$2 series=()
    shift 2
    exits 0 "$name is drawn" "$ROOT/scripts/plot" --output picture.svg "$kind" "$@"
    mapfile -t series < <(names "$kind" "$@" | sed "s/^ *//; s/ *$//")
    [ "$kind" != mountain ] && [ "$kind" != pairs ] && [ "$kind" != nodes ] || series=()
    same "$name can be read" '' "$(faults picture.svg ${series[@]+"${series[@]}"})"
}
levels() { detect --quiet "$@" 2>/dev/null; }

# ---- what is looked for ----

text() { printf '<g transform="translate(%s)" stroke="none" font-size="16.00"  text-anchor="end">\n<text>%s</text>\n</g>\n' "$1" "$2"; }
series() { printf '<g id="gnuplot_plot_%s" ><title>%s</title>\n%s<path stroke='"'rgb(0,1,2)'"' d="M0,0"/></g>\n' "$1" "$2" "$(text "$3" "$2")"; }
{
    echo '<svg viewBox="0 0 1200 800">'
    printf "<path stroke='black'  d='M50,100 L60,100  '/>%s<path stroke='black'  d='M50,300 L60,300  '/>%s" "$(text 40,100 2M)" "$(text 40,300 2M)"
    text 600,400 lower
    text 605,405 higher
    text 10,600 away
    series 1 one 500,700
    series 2 two 500,740
} >bad.svg
same 'texts on others, off the page, twice on an axis and not in the legend are found, and styles that repeat' \
    'a label of an axis twice: 2M
not in the legend: three
off the page: away
one upon the other: higher, lower
the same style: two, one' "$(faults bad.svg one two three)"

# ---- samples ----

for machine in amd-epyc-guest intel-xeon-guest; do
    levels --claims "$machines/$machine/sweep.tsv" >levels.tsv
    picture "tlb: $machine" tlb "$machines/$machine/sweep.tsv" levels.tsv
done
levels "$machines/amd-zen5-guest/both-busy.tsv" >levels.tsv
picture 'tlb: a busy neighbour' tlb "$machines/amd-zen5-guest/both-busy.tsv" levels.tsv
simulate --seed 1 --quiet zen4 >zen4.tsv
levels zen4.tsv >levels.tsv
picture 'tlb: a simulated machine' tlb zen4.tsv levels.tsv
picture 'tlb: lines and pairs of them' tlb "$data/line-xeon-guest.tsv"
picture 'tlb: huge pages of a card' tlb "$machines/nvidia-h200/tlb.tsv"
levels "$data/whitepaper-m4.tsv" >levels.tsv
picture 'tlb: a window of lines' tlb "$data/whitepaper-m4.tsv" levels.tsv
# where LABEL: the bytes of a boundary.
where() { awk -f "$ROOT/plots/table.awk" -f "$ROOT/plots/tlb/tlb.awk" "$data/whitepaper-m4.tsv" levels.tsv | awk -F '\t' -v label="$1" 'index($5, label) == 1 { print $1 }'; }
same 'tlb: the axis of a window is its bytes: entries times the page' $((896 * 16384)) "$(where 'dTLB 2')"
same 'tlb: the guard is the one of tojson' "$(tojson --tlb "$data/whitepaper-m4.tsv" levels.tsv 2>/dev/null | grep -o '"tlb_guard_bytes": *[0-9]*' | grep -o '[0-9]*$')" "$(where guard)"
detect --explain --quiet "$machines/intel-xeon-guest/laps.tsv" >laps.tsv
picture laps laps laps.tsv
picture moments moments "$machines/intel-xeon-guest/laps.tsv"
awk -F '\t' -v OFS='\t' '/^#/ { print; next } !n++ { for (k = 1; k <= NF; k++) c[$k] = k } { print }
    $c["others"] > 0 && $c["spacing_bytes"] == 67108864 { $c["spacing_bytes"] *= 4; $c["moment"] += 1e5; print }' \
    "$machines/intel-xeon-guest/laps.tsv" >four.tsv
readable 'moments: four questions' moments four.tsv
readable 'latency: the pages of a sweep' latency "$machines/intel-xeon-guest/laps.tsv"
matches 'latency: the pages of a sweep have their spacing' 'read: layout page, every 4 KiB<' picture.svg
awk 'BEGIN { print "pages\tns"; for (k = 0; k <= 24; k++) print 2 ^ k "\t" k + 1 }' >wide.tsv
for kind in tlb latency; do readable "$kind: a wide axis" $kind wide.tsv; done
picture montelius montelius "$data"/lab-{4k,64,dummy}.dat
for table in latency-vcache latency-5800x3d; do
    levels --method caches "$data/$table.tsv" >levels.tsv
    picture "latency: $table" latency "$data/$table.tsv" levels.tsv
    [ "$table" = latency-vcache ] || continue
    lacks 'latency: samples that begin at 4 MiB have no L1' '>L1<' picture.svg
done
levels "$machines/nvidia-h200/caches.tsv" >levels.tsv
picture 'latency: a card' latency "$machines/nvidia-h200/caches.tsv" levels.tsv
for table in caches spaced; do sed 's/^# cpu: .*/# cpu: Another/' "$machines/nvidia-h200/$table.tsv" >other-$table.tsv; done
picture devices devices "$machines/nvidia-h200/caches.tsv" other-caches.tsv
{
    printf 'pages\tlayout\tspacing_bytes\n'
    for spacing in 8 32 128 512; do
        for kib in 4 16 64 256 1024 4096; do printf '%d\tline\t%d\n' $((kib * 1024 / spacing)) $spacing; done
    done
} | simulate --seed 1 --quiet zen4 - >mountain.tsv
picture mountain mountain mountain.tsv
{
    printf 'pages\tlayout\tspacing_bytes\tkernel\tchains\tns\n'
    for pages in 64 1024 65536; do
        for chains in 1 2 4 8 16; do printf '%d\tline\t64\tread\t%d\t%s\n' $pages $chains $((pages / chains + 1)); done
    done
} >chains.tsv
picture chains chains chains.tsv
for machine in intel-xeon amd-epyc; do
    mkdir "$machine" && cp "$machines/$machine-guest/sweep.tsv" "$machine/samples.tsv"
    levels "$machine/samples.tsv" >"$machine/boundaries.tsv"
done
compare --quiet intel-xeon amd-epyc >comparison.tsv
picture 'compare: two machines' compare comparison.tsv
compare --quiet "$machines"/amd-zen5-guest/quiet-{1,2}.tsv >comparison.tsv
picture 'compare: two runs' compare comparison.tsv
exits 2 'tlb: two machines in one curve are refused' "$ROOT/scripts/plot" tlb "$machines"/{intel-xeon,amd-epyc}-guest/sweep.tsv
matches 'tlb: two machines are named with what draws them' 'another machine: .* \(compare' err
levels "$machines/amd-zen5-guest/both-busy.tsv" >levels.tsv
exits 2 'tlb: levels of another machine are refused' "$ROOT/scripts/plot" tlb intel-xeon/samples.tsv levels.tsv
matches 'tlb: levels of another machine are named with both' 'levels.tsv:.*another machine: cpu AMD EPYC.*, not Intel' err
for machine in intel-xeon amd-epyc; do { echo "# host: $machine" && cat "$machine/samples.tsv"; } >"$machine.tsv"; done
levels "$machines/amd-zen5-guest/both-busy.tsv" >ranges.tsv
"$ROOT/scripts/plot" --output picture.svg tlb "$machines/amd-zen5-guest/both-busy.tsv" ranges.tsv
same 'tlb: each range is a band' 3 "$(grep "fill-opacity = '0.12" picture.svg | sed "s/.*points = '\([0-9.]*\),[0-9.]* \([0-9.]*\),.*/\1 \2/" | awk '$1 + 1 < $2 { n++ } END { print n + 0 }')"
levels --by host intel-xeon.tsv amd-epyc.tsv zen4.tsv >fleet.tsv
picture fleet fleet fleet.tsv
awk 'BEGIN { print "t_s\tpages\tcost_ns"; for (h = 0; h < 48; h++) print h * 3600 "\t1024\t" 1.5 + sin(h) / 3 "\n" h * 3600 "\t8192\t" 12 + sin(h) }' >watch.tsv
picture watch watch watch.tsv

# ---- rates ----

picture 'bandwidth: a card' bandwidth "$machines"/nvidia-h200/{claim,transfers}.tsv
picture 'bandwidth: work items' bandwidth "$machines/nvidia-h200/items.tsv"
{
    printf 'op\tbytes\tthreads\tgb_per_s\n'
    for op in read write copy triad write_nt scale add; do
        for threads in 1 2 4; do printf "$op\t%d\t$threads\t%d\n" 16384 400 1048576 100 67108864 20; done
    done
} >rates.tsv
picture 'bandwidth: 21 curves' bandwidth rates.tsv
picture 'strides: a card' strides "$machines/nvidia-h200/spaced.tsv"
picture 'strides: two devices' strides "$machines/nvidia-h200/spaced.tsv" other-spaced.tsv
{
    printf 'op\tthreads\tdelay_ns\tgb_per_s\tns\nchase\t1\t-\t-\t90\n'
    for delay in 0 100 200 500 1000 2000 5000; do
        printf 'chase\t4\t%d\t-\t%d\nread\t4\t%d\t%d\t-\n' $delay $((90 + 20000 / (delay + 100))) $delay $((4000 / (delay + 100)))
    done
} >loaded.tsv
picture loaded loaded loaded.tsv
picture pairs pairs "$data/pairs.tsv"
printf 'core_node\tmemory_node\tns\tgb_per_s\n0\t0\t100\t31\n0\t1\t200\t21\n0\t2\t230\t11\n1\t0\t200\t24\n1\t1\t100\t31\n1\t2\t330\t11\n' >nodes.tsv
picture nodes nodes nodes.tsv
printf 'structure\tlevel\tbytes_min\tbytes_max\tkernel\tchains\tns\tidle_cycles\ncache\t1\t4096\t32768\tread\t1\t1.25\t4
cache\t2\t65536\t1048576\tread\t1\t3.5\t9\ncache\t3\t2097152\t33554432\tread\t1\t12\t50\nmemory\t-\t-\t-\tread\t1\t90\t-\n' >latency.tsv
printf 'structure\tns\tgb_per_s\ndisk\t250000\t1.5\n' >disk.tsv
picture hierarchy hierarchy latency.tsv rates.tsv disk.tsv

# ---- traces and slices ----

for kind in cdf average; do
    for table in single threads huge; do picture "$kind: $table" "$kind" "$results/studies/cdf-$table.tsv"; done
done
tlbsim --to curve "$data/abc.trace.tsv" >curve.tsv
picture misscurve misscurve curve.tsv
picture missmap missmap "$data/misses.trace.tsv"
picture objects objects "$results/studies/bfs-objects.tsv"
printf 'object\tmisses\tseconds\nheap\t9\t1.5e-06\nstack\t2\t3e-07\n' >seconds.tsv
picture 'objects: seconds' objects seconds.tsv
picture slowdown slowdown "$results/trace.tsv"
for figure in 4 5 8; do
    awk -F '\t' -v f=$figure 'NR == 1 || $1 == f' "$results/studies/figures.tsv" >"figure-$figure.tsv"
    picture "studies: figure $figure" studies "figure-$figure.tsv"
done
awk 'BEGIN { print "exercise\tpoints\tmax"; for (s = 0; s < 40; s++) { print "all\t" 100 + s "\t230"
    for (e = 1; e <= 23; e++) printf "%02d-x\t%d\t10\n", e, (s * e) % 11 } }' >marks.tsv
picture marks marks marks.tsv
hash=(--hash "$data/hash-6-slices.dat")
slicehash predict "${hash[@]}" --block 1024 --at 0x40000000,0x51230000 >map.tsv
slicehash random --slices 6 --block 64 --seed 1 >masks.tsv
slicehash conflicts "${hash[@]}" --seed 1 --sets 128 --ways 2 map.tsv >sets.tsv
slicehash conflicts "${hash[@]}" --seed 1 --draws 50 --bytes 3M --ways 5 >draws.tsv
slicehash conflicts "${hash[@]}" --seed 1 --sets 128 --ways 5 --bytes 1M --offsets 1G:1100M:+1M >offsets.tsv
slicehash traffic "${hash[@]}" map.tsv >slices.tsv
slicehash traffic "${hash[@]}" --grid "$data/grid-6-slices.tsv" map.tsv >links.tsv
slicehash random --slices 2 --block 64 --seed 1 >two.tsv
slicehash predict --hash two.tsv --block 64 --at 0x40000000 >two-map.tsv
slicehash traffic --hash two.tsv two-map.tsv >two-slices.tsv
slicehash conflicts --hash two.tsv --seed 1 --sets 128 --ways 2 two-map.tsv >two-sets.tsv
for table in map slices sets; do
    readable "slices: $table of two slices" slices "two-$table.tsv"
    lacks "slices: $table of two slices has no ticks between them" '>-?[0-9]*\.[0-9]+<' picture.svg
done
for table in map masks sets draws offsets slices links; do picture "slices: $table" slices "$table.tsv"; done

same 'every kind of picture is looked at' "$(cd "$ROOT/plots" && printf '%s\n' */*.p | sed 's|.*/||; s/\.p$//' | sort)" \
    "$(printf '%s\n' "${kinds[@]}" | sort -u)"
printf 'pages\tlayout\tspacing_bytes\tns\n' >many.tsv
for ((k = 1; k <= 31; k++)); do printf '4\tset\t%d\t2\n8\tset\t%d\t3\n' $((k * 64)) $((k * 64)); done >>many.tsv
exits_saying 2 'more curves than styles are refused' '31 curves .*select rows' "$ROOT/scripts/plot" tlb many.tsv

# ---- what is committed ----

# drawn FOLDER COMMAND PICTURE...: each picture of FOLDER is what COMMAND draws today.
drawn() {
    local picture
    for picture in "${@:3}"; do check "${picture##*/} is up to date (else: $2)" cmp "$1/${picture##*/}" "$picture"; done
}

[ "$(gnuplot --version; fc-match 'DejaVu Sans' 2>/dev/null | cut -d : -f 1)" = 'gnuplot 5.4 patchlevel 4
DejaVuSans.ttf' ] || skip_all 'another gnuplot or font than that of the pictures that are committed'
mkdir readme studies course
detect --quiet --claims "$machines/intel-xeon-guest/laps.tsv" >levels.tsv
"$ROOT/scripts/plot" --output readme/tlb.png tlb "$machines/intel-xeon-guest/laps.tsv" levels.tsv
"$ROOT/scripts/plot" --output readme/laps.png laps laps.tsv
drawn readme 'the commands of README.md' "$ROOT"/plots/*.png
[ -n "${LONG-}" ] || finish_tests
cp "$results"/studies/*.tsv studies && "$ROOT/tests/bench/figures" studies
drawn studies tests/bench/figures "$results"/studies/*.png
"$ROOT/labs/instructor/draw" course 2>err
drawn course labs/instructor/draw "$ROOT"/labs/lib/machines/*.png
for lab in "$ROOT"/labs/[0-9]*; do
    number=${lab##*/} number=${number%%-*}
    check "the expected picture of $number is up to date (else: labs/instructor/draw)" cmp "course/$number.png" "$lab/expected.png"
done
finish_tests
