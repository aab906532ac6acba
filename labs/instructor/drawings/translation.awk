# Exercise 04: from a virtual address to a byte in memory.
BEGIN {
    begin(680, 330, "A translation", "The page number of a virtual address is looked up in the TLB, and after a miss in the page tables. \
The offset within the page stays as it is.")
    say(20, 31, "virtual address", "bold")
    named(160, 12, 280, 28, "blue", "page number 0x12345")
    named(440, 12, 120, 28, "grey", "offset 0x678")

    say(20, 118, "TLB", "bold")
    split("0x00007 &#8594; 0x3a1  0x12345 &#8594; 0x9c2  0x7fff0 &#8594; 0x014", row, "  ")
    for (k = 1; k <= 3; k++)
        named(160, 75 + (k - 1) * 26, 200, 26, k == 2 ? "green" : "", row[k], "small code")
    arrow(260, 40, 260, 73, "blue")
    say(270, 62, "is it there?", "small")

    say(20, 205, "page tables", "bold")
    say(20, 223, "in memory", "small")
    for (k = 0; k < 4; k++) {
        box(160 + k * 59, 190, 22, 44, "")
        box(160 + k * 59, 199 + k % 3 * 9, 22, 8, "red")
        if (k)
            arrow(160 + (k - 1) * 59 + 22, 203 + (k - 1) % 3 * 9, 160 + k * 59 - 2, 192, "red")
    }
    arrow(171, 153, 171, 188, "red")
    say(182, 175, "no: a walk, a load in each table", "small")

    arrow(360, 114, 418, 114, "green")
    say(366, 107, "yes", "small")
    arrow(420, 114, 420, 280, "green")
    arrow(359, 203, 418, 222, "red")
    arrow(500, 40, 500, 280, "")
    say(510, 150, "the offset is", "small")
    say(510, 166, "not translated", "small")

    say(20, 301, "physical address", "bold")
    named(340, 282, 100, 28, "green", "frame 0x9c2")
    named(440, 282, 120, 28, "grey", "offset 0x678")
    say(570, 301, "&#8594; the caches", "")
    end()
}
