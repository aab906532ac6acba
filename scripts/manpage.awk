# manpage.awk: turns the man page of a program into that of `tlblab PROGRAM`, as it is installed.
#
# Usage: awk -v names='chase sweep ...' -f scripts/manpage.awk src/tlb/sweep.1 > tlblab-sweep.1
#
# The page and its references to other programs get the names tlblab-NAME; in the synopsis the command is
# `tlblab NAME`, elsewhere it keeps its name.

BEGIN {
    n = split(names, list, " ")
    for (k = 1; k <= n; k++) ours[list[k]]
}

/^\.Dt / { $2 = "TLBLAB-" $2 }
/^\.Sh / { section = $2 }

/^\.Nm/ {
    if (section == "NAME") {
        if (name == "") name = $2
        $2 = "tlblab-" $2
    } else {
        if ($2 == "" || $2 ~ /^[.,;:)]$/) sub(/^\.Nm/, ".Nm " name)
        if (section == "SYNOPSIS") sub(/^\.Nm /, ".Nm tlblab ")
    }
}

# A line may have several.
/^\.Xr / {
    for (k = 2; k <= NF; k++)
        if ($(k - 1) ~ /^\.?Xr$/ && $k in ours) $k = "tlblab-" $k
}

{ print }
