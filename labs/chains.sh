# chains.sh: the part of grading.sh that follows chains of nodes, which programs print as tables of node and
# next. Each function prints what is wrong.
# shellcheck shell=bash

# cycle TABLE N: it has N nodes and is one cycle through all of them.
cycle() {
    column "$1" node next 2>/dev/null | awk -F '\t' -v n="$2" '
        $1 !~ /^[0-9]+$/ || $2 !~ /^[0-9]+$/ || ($1 in next_of) { bad = 1 }
        { next_of[$1] = $2; rows++ }
        END {
            if (bad || rows != n) { print rows + 0 " usable rows for " n " nodes"; exit 1 }
            do { at = next_of[at + 0]; steps++ } while (at != "" && at != 0 && steps < n)
            if (at == 0 && at != "" && steps == n) exit 0
            if (steps < n) print "back at node 0, or nowhere, after " steps " steps, not " n
            else print "not back at node 0 after " n " steps"
            exit 1
        }'
}

# random TABLE N: hardly two of its links are equally far, and they lead through all of the memory.
random() {
    column "$1" node next | awk -F '\t' -v n="$2" '
        {
            far = ($2 - $1 + n) % n
            if (++times[far] > most) { most = times[far]; often = far }
            sum += far < n - far ? far : n - far
        }
        END {
            if (most > n / 20) print most " of " n " nodes lead " often " nodes on"
            else if (sum / n < n / 8) print "the next node is a neighbour, on average " int(sum / n) " of " n " nodes away"
            else exit 0
            exit 1
        }'
}
