# chains.sh: the part of grading.sh that follows chains of nodes, which programs print as tables of node and
# next. Each function prints what is wrong.
# shellcheck shell=bash disable=SC2154 # reader is of tables.sh, OUT of questions.sh

# cycle TABLE N: it has N nodes and is one cycle through all of them.
cycle() {
    awk -F '\t' -v names='node next' -v n="$2" "$reader"'
        why { next }
        value[1] !~ /^[0-9]+$/ || value[1] >= n { why = "a row for node " value[1] "; there are nodes 0 to " n - 1 }
        value[1] in next_of { why = "two rows for node " value[1] }
        value[2] !~ /^[0-9]+$/ || value[2] >= n { why = "node " value[1] " points to " value[2] "; there are nodes 0 to " n - 1 }
        { next_of[value[1]] = value[2]; rows++ }
        END {
            if (!why && rows != n) why = rows + 0 " rows for " n " nodes"
            if (why) { print why; exit 1 }
            do { node = next_of[node + 0]; steps++ } while (node != "" && node != 0 && steps < n)
            if (node == 0 && node != "" && steps == n) exit 0
            if (node == "") print "step " steps " leads to a node that has no row"
            else if (steps < n) print "back at node 0 after " steps " of " n " steps"
            else print "not back at node 0 after " n " steps"
            exit 1
        }' "$1" 2>/dev/null
}

# around TABLE: prints the number of nodes from node 0 on until one is repeated.
around() {
    awk -F '\t' -v names='node next' "$reader"'
        { next_of[value[1]] = value[2] }
        END {
            for (node = 0; (node in next_of) && !seen[node]++; node = next_of[node]) nodes++
            print nodes + 0
        }' "$1"
}

# random TABLE N: few of its links span the same distance, and they reach all of the memory.
random() {
    awk -F '\t' -v names='node next' -v n="$2" "$reader"'
        {
            far = (value[2] - value[1] + n) % n
            if (++times[far] > most) { most = times[far]; often = far }
            sum += far < n - far ? far : n - far
        }
        END {
            if (most > n / 20) print most " of " n " nodes point " often " nodes ahead"
            else if (sum / n < n / 8) print "the next node is a neighbour, on average " int(sum / n) " of " n " nodes away"
            else exit 0
            exit 1
        }' "$1"
}

# shuffled N: the table in OUT is one cycle through all N nodes, and of many nodes a random one.
shuffled() { cycle "$OUT" "$1" && { [ "$1" -lt 1000 ] || random "$OUT" "$1"; }; }
