# svg.awk: the few shapes that the drawings are made of. Sizes are in pixels, y grows downwards.
# A colour is none, grey, blue, red or green; a thing that is only outlined has none.

function begin(width, height, title, text) {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n", \
        width, height, width, height
    printf "<title>%s</title>\n<desc>%s</desc>\n", title, text
    print "<style>"
    print "text { font: 14px 'DejaVu Sans', Verdana, sans-serif; fill: #222 }"
    print ".small { font-size: 12px } .bold { font-weight: bold } .code { font-family: 'DejaVu Sans Mono', monospace }"
    print ".middle { text-anchor: middle } .end { text-anchor: end }"
    print "rect, path { stroke: #555; stroke-width: 1.2; fill: none } .paper { fill: #fff; stroke: none }"
    print ".grey { fill: #e4e4e4 } .blue { fill: #b9dcf2; stroke: #0072b2 }"
    print ".red { fill: #f8cdb0; stroke: #d55e00 } .green { fill: #b5e3d3; stroke: #009e73 }"
    print "path.grey, path.blue, path.red, path.green { fill: none; stroke-width: 2 } .tip { fill: #555; stroke: none }"
    print ".dashed { stroke-dasharray: 4 4 }"
    print "@media (prefers-color-scheme: dark) {"
    print "  text { fill: #ddd } .paper { fill: #16181c } rect, path { stroke: #aaa } .tip { fill: #aaa }"
    print "  .grey { fill: #3a3d42 } .blue { fill: #123f5c; stroke: #56b4e9 }"
    print "  .red { fill: #5c2c0c; stroke: #ff9a4d } .green { fill: #0d4a3a; stroke: #3fd0a4 }"
    print "}"
    print "</style>"
    print "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\"", \
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip\" d=\"M0 0 8 4 0 8z\"/></marker></defs>"
    print "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>"
}

function end() { print "</svg>" }

function box(x, y, width, height, colour) {
    printf "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n", colour, x, y, width, height
}

# style: of small, bold, code, and middle or end, which the x is then of.
function say(x, y, text, style) {
    printf "<text x=\"%g\" y=\"%g\"%s>%s</text>\n", x, y, style == "" ? "" : " class=\"" style "\"", text
}

# A box with a word in its middle.
function named(x, y, width, height, colour, text, style) {
    box(x, y, width, height, colour)
    say(x + width / 2, y + height / 2 + 5, text, "middle " style)
}

function line(x1, y1, x2, y2, style) {
    printf "<path class=\"%s\" d=\"M%g %g %g %g\"/>\n", style, x1, y1, x2, y2
}

function arrow(x1, y1, x2, y2, style) {
    printf "<path class=\"%s\" marker-end=\"url(#tip)\" d=\"M%g %g %g %g\"/>\n", style, x1, y1, x2, y2
}

# An arrow that bends: `bend` pixels to its left.
function arc(x1, y1, x2, y2, bend, style,   dx, dy, length_) {
    dx = x2 - x1
    dy = y2 - y1
    length_ = sqrt(dx * dx + dy * dy)
    printf "<path class=\"%s\" marker-end=\"url(#tip)\" d=\"M%g %gQ%g %g %g %g\"/>\n", style, x1, y1, \
        (x1 + x2) / 2 + dy / length_ * bend, (y1 + y2) / 2 - dx / length_ * bend, x2, y2
}
