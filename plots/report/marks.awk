# marks.awk: turns marks of students into the data of marks.p; it follows table.awk.
#
# Writes the title and the names of the `exercises`, and two blocks with two blank lines between them: bins of the sums
# of all exercises, from, students; then for each exercise its number, and the least, lower quartile, median, upper
# quartile and largest of its marks. All in per cent.

BEGIN { BINS = 10 }

{
    if (!has("exercise") || !has("points") || !has("max")) bad("wants columns exercise, points and max")
    if (number("points") == "" || number("max") == "") next
    if (number("max") <= 0) bad("column 'max': not above 0")
    if (number("points") < 0 || number("points") > number("max")) bad("column 'points': not from 0 to max")
    add_row(text("exercise"), 100 * number("points") / number("max"))
}

END {
    if (!students) bad("no rows of the exercise 'all'")
    put_title("Marks of " students " student" (students == 1 ? "" : "s"))
    put("exercises", list_of(name, exercises))
    print "from\tstudents"
    for (b = 0; b < BINS; b++) print b * 100 / BINS "\t" bin[b] + 0
    print "\n"
    print "exercise\tleast\tlower\tmedian\tupper\tlargest"
    for (e = 1; e <= exercises; e++) write_exercise(e)
}

function add_row(exercise, percent,   e, b) {
    if (exercise == "all") {
        students++
        b = int(percent * BINS / 100)
        bin[b < BINS ? b : BINS - 1]++
        return
    }
    if (!(exercise in seen)) {
        seen[exercise] = ++exercises
        name[exercises] = substr(exercise, 1, 2)
    }
    e = seen[exercise]
    marks[e, ++count[e]] = percent
}

function write_exercise(e,   list, i) {
    for (i = 1; i <= count[e]; i++) list[i] = marks[e, i]
    sort(list, count[e])
    print e "\t" list[1] "\t" quantile(list, count[e], 0.25) "\t" quantile(list, count[e], 0.5) "\t" \
        quantile(list, count[e], 0.75) "\t" list[count[e]]
}
