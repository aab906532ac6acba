#!/usr/bin/env bash
# package.t: the Debian package is built, installed below a separate root, run there, and removed; the
# recipes for Homebrew and Nix say what they should: a part of scripts/test --all.
. "${0%/*}/../tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$TMP" || exit 2
version=$(sed -n 's/.*TLBLAB_VERSION "\(.*\)"/\1/p' "$ROOT/src/common/base/args.h")

# ---- Debian ----

# left: what is in the root beside the lists of dpkg itself.
left() { (cd root && find . ! -type d ! -path './var/*') | sort; }

debian() {
    local recording=$ROOT/tests/machines/amd-zen5-guest/quiet-2.tsv file
    exits 0 'package: it is built' "$ROOT/scripts/deb" made
    mkdir -p root/var/lib/dpkg/{info,updates,triggers}
    touch root/var/lib/dpkg/{status,available}
    dpkg=(dpkg --root=root --force-depends --force-not-root --log=/dev/null)
    exits 0 'package: it is installed' "${dpkg[@]}" --install made/tlblab_"$version"_*.deb
    matches 'package: dpkg has it' '^ii +tlblab ' <("${dpkg[@]}" --list tlblab)
    same 'package: PATH has the front command alone' tlblab "$(ls root/usr/bin)"
    for file in usr/share/man/man1/tlblab-detect.1.gz usr/lib/tlblab/runtime.o usr/libexec/tlblab/tlbcc; do
        check "package: $file is there" test -s "root/$file"
    done
    exits 0 'package: it runs' root/usr/bin/tlblab detect --quiet "$recording"
    same 'package: it answers as the build does' "$(grep -v '^#' "$TMP/out")" \
        "$("$OUT/detect" --quiet "$recording" | grep -v '^#')"
    dpkg-deb --field made/tlblab_"$version"_*.deb Depends >"$TMP/depends"
    matches 'package: it depends on the libraries that it is linked with' 'libc6 .*libdw1.*libhwloc15.*libzstd1' "$TMP/depends"
    exits 0 'package: the course is installed' "${dpkg[@]}" --install made/tlblab-labs_"$version"_*.deb
    mkdir mine
    "$ROOT/labs/instructor/solve" 01 mine
    QUICK=yes exits 0 'package: an exercise runs' root/usr/share/tlblab/labs/run 01 mine
    exits 0 'package: an exercise is checked' root/usr/share/tlblab/labs/01-time/check "$PWD/mine"
    if command -v lintian >/dev/null; then
        exits 0 'package: lintian has no objection' lintian --allow-root --fail-on error,warning made/*.deb
    else
        skip 'package: lintian has no objection' 'no lintian here'
    fi
    exits 0 'package: they are removed' "${dpkg[@]}" --purge tlblab-labs tlblab
    same 'package: nothing of it is left' '' "$(left)"
}
if command -v dh >/dev/null && command -v dpkg-buildpackage >/dev/null && git -C "$ROOT" rev-parse HEAD >/dev/null 2>&1; then
    debian
else
    skip 'package: the Debian package' 'no debhelper, dpkg-buildpackage or commit here (scripts/deps all)'
fi

# ---- Homebrew ----

# With a stand-in for Homebrew that accepts the words of a recipe and prints the commands of its `install`.
if command -v ruby >/dev/null; then
    cat >brew.rb <<'END'
class Formula
  %w[desc license depends_on head test].each { |word| define_singleton_method(word) { |*| } }
  def prefix = "/prefix"
  def system(*words) = puts(words.join(" "))
end
load ARGV[0]
Tlblab.new.install
END
    same 'package: the recipe for Homebrew installs by make' 'make install PREFIX=/prefix' \
        "$(ruby -w brew.rb "$ROOT/scripts/homebrew/tlblab.rb" 2>&1)"
else
    skip 'package: the recipe for Homebrew' 'no ruby here (scripts/deps all)'
fi
same 'package: it has the libraries that scripts/deps installs with brew' 'hwloc json-c libmd zstd' \
    "$(sed -n 's/^ *depends_on "\(.*\)"$/\1/p' "$ROOT/scripts/homebrew/tlblab.rb" | grep -v gnuplot | sort | paste -s -d ' ' -)"

# ---- Nix ----

if command -v nix-instantiate >/dev/null; then
    cat >pkgs.nix <<'END'
{ stdenv = { mkDerivation = x: x; isLinux = true; };
  lib = { optionals = yes: list: if yes then list else [ ]; licenses.isc = "isc"; platforms.unix = "unix"; };
  pkg-config = "pkg-config"; hwloc = "hwloc"; json_c = "json_c"; zstd = "zstd"; libmd = "libmd";
  elfutils = "elfutils"; libpfm = "libpfm"; numactl = "numactl"; }
END
    same 'package: the recipe for Nix has the version and the libraries' \
        "\"$version: hwloc json_c zstd libmd elfutils libpfm numactl\"" \
        "$(NIX_STATE_DIR="$TMP/nix" NIX_STORE_DIR="$TMP/store" nix-instantiate --eval --store dummy:// --strict --expr \
            "let r = import (/. + \"$ROOT/scripts/nix\") { pkgs = import ./pkgs.nix; }; in r.version + \": \" + toString r.buildInputs" 2>&1)"
else
    skip 'package: the recipe for Nix' 'no nix-instantiate here (scripts/deps all)'
fi
matches 'package: the newest change is of this version' "^- \*\*$version\*\*" <(grep -m 1 '^- \*\*[0-9]' "$ROOT/src/README.md")
matches 'package: the recipe for Nix is of this version' "version = \"$version\"" "$ROOT/scripts/nix/default.nix"
finish_tests
