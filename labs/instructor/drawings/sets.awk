# Exercise 15: a TLB of 8 sets and 2 ways, and which pages conflict in it.
function tlb(x, text, distance, many, below,   set, k, count, page, fits) {
    say(x, 34, text, "bold")
    for (set = 0; set < 8; set++) {
        say(x, 73 + set * 30, "set " set, "small")
        for (k = 0; k < 2; k++)
            box(x + 50 + k * 46, 55 + set * 30, 46, 26, "")
    }
    for (page = 0; page < many; page++)
        count[page * distance % 8]++
    for (k = 0; k < many; k++) {
        set = k * distance % 8
        page = place[x, set]++
        fits = count[set] <= 2
        named(x + 50 + page * 46, 55 + set * 30, 46, 26, fits ? "green" : "red", k * distance, "small")
    }
    say(x, 320, below, "small")
}
BEGIN {
    begin(680, 340, "Sets and ways", "Sixteen pages side by side fill a TLB of 8 sets and 2 ways. Pages 4 apart use two sets, pages 8 apart one.")
    tlb(20, "pages 1 apart", 1, 16, "16 pages fit: two in each set")
    tlb(250, "pages 4 apart", 4, 4, "4 pages fit: two sets are used")
    tlb(480, "pages 8 apart", 8, 3, "3 do not: each evicts the next")
    end()
}
