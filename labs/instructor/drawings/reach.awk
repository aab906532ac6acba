# Exercise 14: the reach of a TLB beside working sets, on a logarithmic axis.
function at(kib) { return 150 + log(kib) / log(2) * 27 }
function bar(y, text, kib, colour, said) {
    say(20, y + 19, text, "")
    box(150, y, at(kib) - 150, 28, colour)
    say(160, y + 19, said, "small")
}
BEGIN {
    begin(680, 310, "Reach and working set", "96 entries reach 384 KiB with pages of 4 KiB and 192 MiB with pages of 2 MiB.")
    say(20, 28, "How much memory do 96 translations cover?", "bold")
    bar(45, "4 KiB pages", 96 * 4, "blue", "96 &#215; 4 KiB = 384 KiB")
    bar(81, "2 MiB pages", 96 * 2048, "green", "96 &#215; 2 MiB = 192 MiB")
    bar(132, "an image", 256, "grey", "256 KiB: fits with both")
    bar(168, "a table", 65536, "grey", "64 MiB: misses with small pages")
    line(at(384), 40, at(384), 245, "blue dashed")
    line(at(96 * 2048), 76, at(96 * 2048), 245, "green dashed")
    line(150, 245, 650, 245, "")
    for (k = 0; k <= 18; k += 3) {
        line(at(2 ^ k), 245, at(2 ^ k), 250, "")
        say(at(2 ^ k), 266, k < 10 ? 2 ^ k " KiB" : 2 ^ (k - 10) " MiB", "small middle")
    }
    say(20, 295, "Reach = entries &#215; page size. Many processors have fewer entries for large pages than for small ones.", "small")
    end()
}
