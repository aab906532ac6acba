#!/usr/bin/env bash
# fuzz.t: a few broken traces; scripts/test --all tables tries many more, and tables.
. "${0%/*}/tap.sh"
exits 0 'tlbsim, misses: broken traces are read or refused' "$ROOT/tests/fuzz/traces" 64
diagnose <"$TMP/out"
finish_tests
