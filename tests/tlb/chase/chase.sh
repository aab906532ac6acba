# chase.sh: what the tests of chase share; tap.sh is sourced before it.
# shellcheck shell=bash disable=SC2034 # the tests use them
quick=(chase --quiet --seed 1 --loads 2000)

# The identity of the point and the sample: the first eight columns, without the header.
points() { rows "$1" | cut -f 1-8; }
# refuses NAME REGEX OPTION...: a message, exit status 2, nothing on stdout.
refuses() { is_refused "$1" "$2" chase --quiet "${@:3}"; }
