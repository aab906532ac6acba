# laps.awk: turns the table of detect --explain into the data of laps.p; it follows table.awk.
#
# Writes the title, and for each of the `questions` the ranges of its panel, `lowest` and `highest` number of targets
# and `misses`, and the number that `fits`; and for each
# question a block with two blank lines after it: targets, and the misses if so many fit, if that is open,
# and if they do not fit.

{
    need("question", "detect --explain")
    need("targets")
    need("misses")
    need("fits")
    note_machine()
    add_row(text("question"), number("targets"), number("misses"), text("fits"))
}

END {
    if (!questions) bad("no numbers of targets (detect --explain)")
    put_title("Misses of the fastest lap")
    for (q = 1; q <= questions; q++) find_window(q)
    put("questions", list_of(name, questions))
    put("lowest", list_of(lowest, questions))
    put("highest", list_of(highest, questions))
    put("misses", list_of(top, questions))
    put("fits", list_of(fits, questions))
    for (q = 1; q <= questions; q++) write_question(q)
}

function add_row(question, targets, misses, answer,   q) {
    if (targets == "" || misses == "") return
    if (targets < 1) bad("column 'targets': less than 1")
    if (question == "nearer_flushed") return # in many sets
    if (question !~ /^(pages|set|set_flushed|closer_flushed)$/) bad("column 'question': unknown: " question)
    if (answer !~ /^(yes|no|open)$/) bad("column 'fits': not yes, no or open")
    if (!(question in seen)) {
        seen[question] = ++questions
        name[questions] = question
    }
    q = seen[question]
    asked[q, ++rows[q]] = targets
    missed[q, rows[q]] = misses
    answered[q, rows[q]] = answer
    if (answer == "yes" && targets > fits[q]) fits[q] = targets
}

# The numbers near the one that fits.
function find_window(q,   k) {
    lowest[q] = int(0.7 * fits[q])
    highest[q] = int(1.3 * fits[q] + 2)
    fits[q] += 0
    top[q] = 2
    for (k = 1; k <= rows[q]; k++)
        if (in_window(q, k) && missed[q, k] > top[q]) top[q] = missed[q, k]
}

function in_window(q, k) { return asked[q, k] >= lowest[q] && asked[q, k] <= highest[q] }

function write_question(q,   k) {
    print "targets\tyes\topen\tno"
    for (k = 1; k <= rows[q]; k++)
        if (in_window(q, k)) print asked[q, k] "\t" if_so(q, k, "yes") "\t" if_so(q, k, "open") "\t" if_so(q, k, "no")
    print "\n"
}

function if_so(q, k, answer) { return answered[q, k] == answer ? missed[q, k] : "" }
