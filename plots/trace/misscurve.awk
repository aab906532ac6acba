# misscurve.awk: turns tables of tlbsim --to curve into the data of misscurve.p; it follows table.awk.
#
# Writes the title and ranges (entries, misses per cent), and a block for each table: entries, misses in per cent of
# the accesses.

{
    need("entries", "tlbsim --to curve")
    need("misses")
    need("accesses")
    if (tables != current) {
        current = tables
        name[++curves] = legend(meta["label"] != "" ? meta["label"] : meta["traced"] != "" ? meta["traced"] : source_title)
    }
    entries = number("entries")
    misses = number("misses")
    accesses = number("accesses")
    if (entries == "" || misses == "" || accesses == "" || accesses <= 0) next
    share = 100 * misses / accesses
    rows[curves] = rows[curves] entries "\t" share "\n"
    note_ranges(entries, share, share)
}

END {
    if (broken) exit 2
    if (!curves || most == "") bad("no rows")
    put_title("Misses by the number of entries")
    put_ranges()
    for (c = 1; c <= curves; c++) printf "entries\t%s\n%s\n\n", name[c], rows[c]
}
