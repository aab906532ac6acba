# draw.gp: draws a picture: reads its data, sets its style, and loads KIND.p.
#
# Usage: gnuplot -c plots/draw.gp KIND IN OUT [TITLE [COLUMNS ROWS]]
# Example: gnuplot -c plots/draw.gp tlb/tlb samples.tsv tlb.png
#
# OUT ends in .png, .svg, .pdf, or .txt for characters, of which there are COLUMNS and ROWS. Reads IN with table.awk and
# KIND.awk (of trace/average trace/cdf.awk) into $DATA, which begins with settings: lines `# NAME VALUE`. setting(NAME) is such a
# value, number(NAME) the same as a number; no value is ever run as a command. The title is TITLE or the setting
# `title`. Ends with status 2 for data that cannot be read.

# A relative name gets a folder, so that none is an option, a setting of awk (a=b), or a command for `set output` (|a).
file(name) = name[1:1] eq "/" || name eq "-" ? name : "./".name
# A word of a shell's command, whatever is in it.
quoted(word) = strstrt(word, "'") ? quoted_part(word, strstrt(word, "'")) : word
quoted_part(word, at) = word[1 : at - 1]."'\\''".quoted(word[at + 1 : *])

out = file(ARG3)
title = ARG4
columns = ARG5 eq "" ? 79 : ARG5 + 0
rows = ARG6 eq "" ? 24 : ARG6 + 0
here = ARG0[1 : sum [k = 1 : strlen(ARG0)] (strstrt(ARG0[k : *], "/") > 0)]
dumb = out[strlen(out) - 3:*] eq ".txt"
# system() keeps a mebibyte of what a command prints. No line of data ends it early, whatever strangers have in it.
load sprintf("< echo '$DATA << END_OF_DATA'; { LC_ALL=C awk -v dumb=%d -f '%s' -f '%s' '%s' || echo failed; } | " \
    ."sed 's/^END_OF_DATA/ &/'; echo END_OF_DATA", \
    dumb ? columns : 0, quoted(file(here."table.awk")), \
    quoted(file(here.(ARG1 eq "trace/average" ? "trace/cdf" : ARG1).".awk")), quoted(file(ARG2)))
if (|$DATA| < 1 || $DATA[|$DATA|] eq "failed") { exit status 2 }
load here."style.gp"

setting(name) = setting_from(1, name)
setting_from(k, name) = $DATA[k][1:1] ne "#" ? there_is_no_such_setting : word($DATA[k], 2) eq name \
    ? $DATA[k][strlen(name) + 4 : *] : setting_from(k + 1, name)
number(name) = setting(name) + 0

# By which seconds are multiplied, so that the longest are no fraction; and their unit then.
scale_of(seconds) = seconds >= 1 || seconds <= 0 ? 1 : seconds >= 1e-3 ? 1e3 : seconds >= 1e-6 ? 1e6 : 1e9
seconds_at(scale) = scale == 1 ? "seconds" : scale == 1e3 ? "milliseconds" : scale == 1e6 ? "microseconds" : "nanoseconds"

if (title eq "") { title = setting("title") }
# Characters have no smaller font: a long title has two lines.
cut = strstrt(title, ": ")
if (dumb && strlen(title) > columns - 14 && cut > 0) { title = title[1 : cut]."\n".title[cut + 2 : *] }
set title title noenhanced font (strlen(title) > 110 ? ",11" : "")
# Of ylog.gp.
unit = "ns"
below = 1.4
above = 1.3

load here.ARG1.".p"
