#!/usr/bin/env bash
# darwin.t: the build for macOS compiles nothing that macOS lacks, and its part of src/platform/
# compiles with what macOS declares. Nothing is run: there is no Mac here.
. "${0%/*}/../tap.sh"
plain_linux_alone
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$ROOT" || exit 2

# A pkg-config that knows the libraries of Homebrew which scripts/deps installs there.
cat >"$TAP_FOLDER/pkg-config" <<'END'
#!/bin/sh
for name; do :; done
case $name in hwloc | json-c | libzstd | libmd | cunit) echo "-l${name#lib}" ;; *) exit 1 ;; esac
END
chmod +x "$TAP_FOLDER/pkg-config"
make -n VARIANT=mac PLATFORM=darwin PKG_CONFIG="$TAP_FOLDER/pkg-config" all units >"$TMP/commands" 2>&1
same 'darwin: make says what it would do' 0 $?
grep -oE '(src|labs|tests)/[a-z0-9_/]+\.c' "$TMP/commands" | sort -u >"$TMP/files"
check 'darwin: the programs are among it' grep -qx src/tlb/sweep.c "$TMP/files"
same 'darwin: of the platform it compiles its own files and shared ones' \
    'darwin not_linux numa_none posix posix_threads root sink sysfs sysfs_arm sysfs_claims sysfs_core sysfs_dmi sysfs_kinds sysfs_nodes sysfs_set' \
    "$(sed -n 's,^src/platform/\(.*\)\.c$,\1,p' "$TMP/files" | paste -s -d ' ' -)"
same 'darwin: none of it includes what only Linux or glibc has' '' \
    "$(xargs grep -lE '#include <(linux|asm|elfutils|perfmon|numa|dwarf|malloc|execinfo|sys/(prctl|syscall|auxv|sysinfo))' <"$TMP/files")"
lacks 'darwin: no library is linked that macOS lacks' '-l(dw|elf|pfm|numa|dl|rt|seccomp|stdc\+\+)\b' "$TMP/commands"

# The headers, each by itself.
mkdir "$TAP_FOLDER/include"
awk -v to="$TAP_FOLDER/include" '
    $1 == "==" { close(file); file = to "/" $2; if (sub("/[^/]*$", "", $2)) system("mkdir -p " to "/" $2); print "#pragma once" >file; next }
    file { print >file }' tests/platform/darwin.headers
read -r -a flags < <(make -s print-flags)
while IFS= read -r file; do
    exits 0 "darwin: $file compiles with what macOS declares" \
        gcc "${flags[@]}" -U__linux__ -D__APPLE__ -nostdinc -isystem "$TAP_FOLDER/include" \
        -isystem "$(gcc -print-file-name=include)" -fsyntax-only "$file"
done < <(grep ^src/platform/ "$TMP/files")
printf '#include "platform.h"\nint main(void) { return prctl(1); }\n' >"$TMP/linux.c"
exits 1 'darwin: a function of Linux does not' \
    gcc "${flags[@]}" -nostdinc -isystem "$TAP_FOLDER/include" -isystem "$(gcc -print-file-name=include)" -fsyntax-only "$TMP/linux.c"
finish_tests
