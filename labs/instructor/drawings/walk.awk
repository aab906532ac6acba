# Exercise 13: a walk through four levels, and the same walk in a virtual machine.
function tables(   k, word) {
    split("512 GiB,1 GiB,2 MiB,4 KiB", word, ",")
    say(20, 30, "A walk: nine bits of the page number select an entry in each table", "bold")
    for (k = 0; k < 4; k++) {
        say(65 + k * 125, 58, "level " 4 - k, "small middle")
        box(40 + k * 125, 66, 50, 100, "")
        named(40 + k * 125, 80 + k % 3 * 26, 50, 20, "blue", "entry", "small")
        arrow(90 + k * 125, 90 + k % 3 * 26, 163 + k * 125, k < 3 ? 67 : 76, "blue")
        say(65 + k * 125, 184, word[k + 1], "small middle")
    }
    named(540, 66, 90, 30, "green", "the page", "small")
    say(20, 208, "Below each table: how much memory one of its 512 entries covers. It has 8 bytes: eight share a line.", "small")
}
BEGIN {
    begin(680, 460, "A page walk", "Four tables, one load in each. In a virtual machine the address of each table of the guest is itself translated through four tables of the host.")
    tables()
    say(20, 250, "Nested: each address in the guest's tables is translated by the host's", "bold")
    split("4 3 0", level, " ")
    for (row = 0; row < 3; row++) {
        y = 270 + row * 50
        say(20, y + 19, level[row + 1] ? "to find the guest's level " level[row + 1] : "to find the page itself", "small")
        for (k = 0; k < 4; k++) {
            named(215 + k * 70, y, 50, 28, "red", "host " 4 - k, "small")
            arrow(265 + k * 70, y + 14, 283 + k * 70, y + 14, "")
        }
        if (level[row + 1]) {
            named(495, y, 60, 28, "blue", "guest " level[row + 1], "small")
            printf "<path class=\"blue%s\" marker-end=\"url(#tip)\" d=\"M555 %g H580 V%g H205 V%g H213\"/>\n", \
                row == 1 ? " dashed" : "", y + 14, y + 39, y + 64
        } else
            named(495, y, 60, 28, "green", "page", "small")
    }
    say(590, 350, "&#8230; and so on", "small")
    say(20, 440, "Each red or blue cell is a load, if the processor remembers nothing. How many are there?", "small")
    end()
}
