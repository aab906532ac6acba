# sheets.sh: the cells of the tables that a teacher opens in a spreadsheet or imports into a learning platform.
# shellcheck shell=bash disable=SC2034

# The part of awk programs that writes and reads such cells. A spreadsheet runs a text that begins with =, +, -, @, a
# tab or a carriage return, and a row that begins with # would be a comment. safe(TEXT) puts a quote before it, which
# raw(CELL) takes away again, so a text that begins with a quote gets one too. Numbers, and `-` alone, stay. csv(TEXT)
# is the same between commas.
# shellcheck disable=SC2016 # it is awk
cells='
    function safe(s) { return s ~ /^[=+@#\t\r\047-]/ && s !~ /^[-+]?[0-9.]*$/ ? "\047" s : s }
    function raw(s) { sub(/^\047/, "", s); return s }
    function csv(s) {
        s = safe(s)
        if (s ~ /[",;\t\r\n]/) { gsub(/"/, "\"\"", s); s = "\"" s "\"" }
        return s
    }'
