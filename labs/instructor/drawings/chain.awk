# Exercise 06: a chain in order, one in disorder, and a shuffle that made two.
function nodes(y, text, next_, colours,   n, k, to, colour) {
    n = split(next_, to, " ")
    split(colours, colour, " ")
    say(20, y - 50, text, "bold")
    for (k = 0; k < n; k++)
        named(20 + k * 80, y, 50, 30, colour[k + 1], k, "")
    for (k = 0; k < n; k++)
        if (to[k + 1] > k) # forwards above, backwards below
            arc(45 + k * 80, y, 45 + to[k + 1] * 80, y - 1, (to[k + 1] - k) * 9 + 12, colour[k + 1])
        else
            arc(45 + k * 80, y + 30, 45 + to[k + 1] * 80, y + 31, (k - to[k + 1]) * 9 + 12, colour[k + 1])
}
BEGIN {
    blue = "blue blue blue blue blue blue blue blue"
    begin(680, 500, "Chains in memory", "Eight nodes in adjacent lines: linked in order, in random order, and as two cycles by mistake.")
    nodes(80, "linear: the prefetcher sees where it goes", "1 2 3 4 5 6 7 0", blue)
    nodes(245, "random, one cycle: no load can begin before the one before it has ended", "5 4 7 2 6 3 1 0", blue)
    nodes(410, "not one chain but two: from node 0 you never reach the red ones", "5 4 7 0 6 3 1 2", "blue red blue blue red blue red blue")
    end()
}
