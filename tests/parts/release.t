#!/usr/bin/env bash
# release.t: what scripts/release makes is the same when it is made again, runs without any library, and
# builds: a part of scripts/test --all.
. "${0%/*}/../tap.sh"
for tool in git musl-gcc aarch64-linux-musl-gcc qemu-aarch64 sha256sum; do
    command -v "$tool" >/dev/null || skip_all "no $tool here (scripts/deps all)"
done
[ "$(uname -m)" = x86_64 ] || skip_all 'releases are made on x86-64'
git -C "$ROOT" rev-parse HEAD >/dev/null 2>&1 || skip_all 'a release is of a commit'
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$TMP" || exit 2

exits 0 'release: it is made' "$ROOT/scripts/release" first
again() {
    umask 077
    TZ=Asia/Tokyo TMPDIR=$TAP_FOLDER "$ROOT/scripts/release" second
}
exits 0 'release: it is made again, in another folder, umask and time zone' again
umask 022
same 'release: it has the source, two archives of programs, and their sums' 4 "$(find first -type f -size +0 | wc -l)"
check 'release: both times it has the same bytes' diff -r first second
check 'release: the sums are right' bash -c 'cd first && sha256sum --quiet -c SHA256SUMS'
version=$(sed -n 's/.*TLBLAB_VERSION "\(.*\)"/\1/p' "$ROOT/src/common/base/args.h")

recording=$ROOT/tests/machines/amd-zen5-guest/quiet-2.tsv
answer=$("$OUT/detect" --quiet "$recording" | grep -v '^#')
for processor in x86_64 aarch64; do
    exits 0 "release: $processor unpacks" tar -xzf "first/tlblab-$version-linux-$processor.tar.gz"
    tree=tlblab-$version-linux-$processor
    run=()
    [ $processor = x86_64 ] || run=(qemu-aarch64)
    for program in detect sweep simulate; do
        readelf -l "$tree/libexec/tlblab/$program" >"$TMP/segments" 2>&1
        matches "release: $program for $processor can be loaded" LOAD "$TMP/segments"
        lacks "release: $program for $processor needs no library" 'interpreter|INTERP' "$TMP/segments"
    done
    same "release: detect for $processor answers as it does here" "$answer" \
        "$(${run[@]+"${run[@]}"} "$tree/libexec/tlblab/detect" --quiet "$recording" | grep -v '^#')"
    matches "release: detect for $processor knows the commit" "$(git -C "$ROOT" rev-parse --short=12 HEAD)" \
        <(${run[@]+"${run[@]}"} "$tree/libexec/tlblab/detect" --version)
    check "release: $processor has the pages" test -s "$tree/share/man/man1/tlblab-detect.1"
    lacks "release: $processor has no path of this machine" "$TAP_FOLDER|/tmp/" <(strings "$tree/libexec/tlblab/detect" | grep -v '^/tmp/$')
done
same 'release: tlblab of the archive finds its programs' "$answer" \
    "$("tlblab-$version-linux-x86_64/bin/tlblab" detect --quiet "$recording" | grep -v '^#')"
exits 0 'release: the source unpacks' tar -xzf "first/tlblab-$version.tar.gz"
exits 0 'release: the source builds' make -s -C "tlblab-$version" CFLAGS=-O0\ -w all
check 'release: it is the version' grep -q "$version" <("tlblab-$version/bin/detect" --version)
finish_tests
