# Exercise 03: which bytes the loop reads, with pages of a line and with pages of the machine.
function memory(y, step, text,   page, k) {
    say(20, y - 12, text, "code")
    for (page = 0; page < 3; page++) {
        for (k = 0; k < 8; k++)
            box(20 + page * 220 + k * 25, y, 25, 30, (step == 1 && page < 1) || (step > 1 && k == 0) ? "blue" : "")
        say(20 + page * 220 + 204, y + 20, "&#8230;")
    }
}
BEGIN {
    begin(680, 250, "Lines and pages", "Eight adjacent lines, or one line of each page.")
    memory(50, 1, "PAGESIZE 64: memory[0], memory[64], memory[128], &#8230;")
    memory(150, 8, "PAGESIZE 4096: memory[0], memory[4096], memory[8192], &#8230;")
    for (page = 0; page < 3; page++)
        say(20 + page * 220 + 100, 205, "a page of the machine", "small middle")
    say(20, 235, "A cell is a line of 64 bytes, which a cache holds. A group is a page of 4096, which the TLB translates.", "small")
    end()
}
