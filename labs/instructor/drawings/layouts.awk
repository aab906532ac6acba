# Exercise 11: where eight nodes are in each layout, page by page.
function layout(x, name, why, step, stagger, pages,   page, k, n, node) {
    say(x, 40, name, "bold")
    say(x, 60, why, "small")
    for (n = 0; n < 8; n++)
        at[n * step + n * stagger] = n
    for (page = 0; page < 8; page++) {
        for (k = 0; k < 8; k++) {
            node = page * 8 + k
            if (node in at)
                named(x + k * 22, 75 + page * 26, 22, 20, "blue", at[node], "small")
            else if (page < pages)
                box(x + k * 22, 75 + page * 26, 22, 20, "")
        }
    }
    split("", at)
}
BEGIN {
    begin(680, 370, "Three layouts", "Eight nodes on a page each at the same offset, on a page each and a line further each time, and in adjacent lines of one page.")
    layout(20, "as in exercise 04", "a page each, all in one column", 8, 0, 8)
    layout(250, "PAGE", "a page each, all columns", 8, 1, 8)
    layout(480, "PACKED", "one page, all columns", 1, 0, 1)
    say(20, 306, "8 translations, 1 cache set", "small")
    say(250, 306, "8 translations, all sets", "small")
    say(480, 306, "1 translation, all sets", "small")
    say(20, 335, "A row is a page (with 8 lines here, not 64), a cell is a line. The column selects the set of the first cache.", "small")
    say(20, 355, "PAGE and PACKED differ in the number of pages alone, so their difference is translation alone.", "small")
    end()
}
