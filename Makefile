# tlblab: all, test, bench, demo, install, uninstall, release, dist, dist-students, handout, site, marks, clean.
# Variants: make VARIANT=asan; PLATFORM=none builds without measuring; CC=clang.
# Another processor: VARIANT=aarch64 CC=aarch64-linux-gnu-gcc PKG_CONFIG=false LDFLAGS=-static RUN=qemu-aarch64.

.DELETE_ON_ERROR:
# Objects of tests stay: the next make wants them, since their .d files name them.
.SECONDARY:
.SUFFIXES:
.DEFAULT_GOAL := all

comma    := ,
# $(call quoted,TEXT): one word for the shell.
quoted   = '$(subst ','\'',$1)'
# Names from the command line reach the shell through the environment: neither make nor the shell expands them.
$(foreach v,STUDENTS HANDOUT DIR OUTDIR SECRET COURSE,$(if $(filter command,$(origin $v)), \
    $(eval override $v := $$(value $v)) $(eval export $v)))
VERSION  := $(shell sed -n 's/.*TLBLAB_VERSION "\(.*\)"/\1/p' src/common/base/args.h)
PREFIX   ?= /usr/local
DESTDIR  ?=
VARIANT  ?= plain
PLATFORM ?= $(if $(filter Darwin,$(shell uname -s)),darwin,$(if $(filter Linux,$(shell uname -s)),linux,none))

# Sanitized code is compiled in half the time with -Og, and runs as fast. What a compiler warns of there
# is less exact than with -O2, which the plain build shows.
CFLAGS   ?= $(if $(filter asan fuzz,$(VARIANT)),$(if $(filter asan,$(VARIANT)),-Og,-O1) -g1 -w,-O2 -g)
# Recent clang warns where a constant of an enumeration meets a double.
WARN     := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
            $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),-Wno-enum-float-conversion)
OUR_CPPFLAGS := -D_POSIX_C_SOURCE=200809L -iquote src -iquote src/common -iquote src/platform
ALL_CPPFLAGS := $(OUR_CPPFLAGS) $(CPPFLAGS)
ALL_LDLIBS = $(if $(NUMA),-Wl$(comma)--as-needed $(call libs,numa)) -lm -pthread $(LDLIBS)

SANITIZE.plain :=
SANITIZE.asan  := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
SANITIZE.fuzz  := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
ALL_CFLAGS  = $(WARN) $(CFLAGS) $(SANITIZE.$(VARIANT)) -MMD -MP
ALL_LDFLAGS = $(SANITIZE.$(VARIANT)) $(LDFLAGS)

# The plain build on this machine's platform lies in bin/; every other one below bin/.obj.
NAME := $(VARIANT)$(if $(filter none,$(PLATFORM)),-none)
OBJ  := bin/.obj/$(NAME)
OUT  := $(if $(filter plain,$(NAME)),bin,$(OBJ)/bin)

# Tests are compiled in a third of the time without optimisation, which what they test keeps.
# CFLAGS that somebody gives hold for them too.
UNOPTIMISED := $(if $(filter file,$(origin CFLAGS)),-O0)

# What objects are built with. The file is written only when that changes, and then all are built anew.
BUILT_WITH := $(OBJ)/built-with
FLAGS      = $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(ALL_LDLIBS) $(HERE)

# A folder of src/ is a family: its programs, and below it their modules.
PROGRAM_FILES := $(patsubst src/%.c,%,$(filter-out src/platform/%,$(wildcard src/*/*.c)))
MODULES  := $(patsubst src/%.c,%,$(filter-out src/trace/runtime/%,$(wildcard src/*/*/*.c)))
UNITS    := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))

# Libraries that few programs need, as pkg-config knows them, or where it has no file for one, the compiler. With
# PKG_CONFIG=false there are none.
PKG_CONFIG ?= pkg-config
NO_FILE := libpfm libstdc++ libc++
HERE := $(shell for m in hwloc json-c libzstd libdw libmd numa OpenCL cunit; do $(PKG_CONFIG) --exists $$m && echo $$m; done) \
        $(foreach l,$(if $(filter false,$(PKG_CONFIG)),,$(NO_FILE)),$(if $(wildcard $(shell $(CC) -print-file-name=$l.so 2>/dev/null)),$l))
libs   = $(if $(filter $1,$(NO_FILE)),$(1:lib%=-l%),$(shell $(PKG_CONFIG) --libs $1))
cflags = $(if $(filter $1,$(NO_FILE)),,$(shell $(PKG_CONFIG) --cflags $1))
# $(call needs,LIBRARY,DEBIAN PACKAGE,PROGRAMS,UNITS,MODULES): what is left out where there is no such library.
define needs
ifneq ($(filter $1,$(HERE)),)
$(addprefix $(OUT)/,$3) $(addprefix $(OBJ)/unit/,$4): OWN_LIBS += $1
$(patsubst %,$(OBJ)/%.o,$(filter $(addprefix %/,$3),$(PROGRAM_FILES)) $5): OWN_CPPFLAGS += $$(call cflags,$1)
else
$(call lacks,$1,$2,$(strip $3))
LEFT_OUT += $(addprefix %/,$3) $4 $5
endif
endef
# What `make all` says of a missing library.
lacks = LACKING += 'left out for lack of $1 (Debian: $2): $3'
$(eval $(call needs,hwloc,libhwloc-dev,machine pingpong tohwloc,,common/machine/topology))
$(eval $(call needs,json-c,libjson-c-dev,tojson,,$(filter report/payload/%,$(MODULES))))
$(eval $(call needs,libzstd,libzstd-dev,tlbsim misses tlbcost tlbcc tlbrun,$(filter test_trace%,$(UNITS)),trace/format/trace_read trace/format/trace_write))
$(eval $(call needs,libdw,libdw-dev,misses tlbcost,test_trace_attribution,trace/attribution/binary trace/attribution/frames trace/attribution/symbol_list))
# libstdc++ demangles the names of C++; on macOS libc++ does, a part of the system.
$(eval $(if $(filter darwin,$(PLATFORM)),$(OUT)/misses $(OUT)/tlbcost $(OBJ)/unit/test_trace_attribution: OWN_LIBS += libc++, \
    $(call needs,libstdc++,g++,misses tlbcost,test_trace_attribution,)))
$(if $(filter linux,$(PLATFORM)),$(eval $(call needs,libpfm,libpfm4-dev,tlbcost,,platform/linux_events)))
# $(call instead,LIBRARY,DEBIAN PACKAGE,WHAT IS MISSING), the library or nothing. What needs it is built without.
instead  = $(if $(filter $1,$(HERE)),$1,$(eval $(call lacks,$1,$2,$3)))
# Machines of students, which simulate draws by a hash.
HASH     := $(call instead,libmd,libmd-dev,simulate --id)
LEFT_OUT += tlb/simulate/hash_$(if $(HASH),none,md) $(if $(HASH),,test_student_machine)
PROGRAM_FILES := $(filter-out $(LEFT_OUT),$(PROGRAM_FILES))
PROGRAMS := $(sort $(notdir $(PROGRAM_FILES)))
UNITS    := $(filter-out $(LEFT_OUT),$(UNITS))
# Memory on a chosen node; without libnuma it is refused.
NUMA     := $(if $(filter linux,$(PLATFORM)),$(call instead,numa,libnuma-dev,memory on a chosen node))
# The files of a platform: its own, and those that it shares with others. root, sink and sysfs only read files.
PLATFORM_FILES := $(patsubst src/platform/%.c,%,$(wildcard src/platform/$(PLATFORM).c src/platform/$(PLATFORM)_*.c)) \
            root sink $(patsubst src/platform/%.c,%,$(wildcard src/platform/sysfs*.c)) $(NUMA) $(if $(NUMA),,numa_none) \
            $(if $(filter linux,$(PLATFORM)),,not_linux) $(if $(filter-out none,$(PLATFORM)),posix posix_threads)
# Cards are reached through OpenCL where its headers are there and the platform can measure.
CARDS    := $(if $(filter-out none,$(PLATFORM)),$(call instead,OpenCL,ocl-icd-opencl-dev,graphics cards))
LEFT_OUT += memory/card/%_$(if $(CARDS),none,opencl)
COMMON   := $(patsubst %,$(OBJ)/%.o,$(filter-out $(LEFT_OUT),$(MODULES) $(PLATFORM_FILES:%=platform/%)))

# What labs/sandbox needs for the programs of students.
SANDBOX := $(if $(filter plain-linux,$(NAME)-$(PLATFORM)),$(if $(wildcard labs/lib/seccomp.c),$(OUT)/seccomp $(OUT)/apart))

# Libraries that tlbcost and tlbrun preload into a command.
PRELOADED := $(OBJ)/runtime/huge.so $(OBJ)/runtime/objects.so $(OBJ)/runtime/guest.so

# What tlbrun puts into qemu-user.
PLUGIN := $(OBJ)/runtime/tlbrun.so

# Whether programs are traced here.
TRACES := $(if $(filter linux,$(PLATFORM)),$(filter tlbcc,$(PROGRAMS)))

.PHONY: all lacking units targets test bench demo install uninstall release dist dist-students handout site marks clean print-flags always
all: $(PROGRAMS:%=$(OUT)/%) $(if $(TRACES),$(OUT)/tlbc++ $(OBJ)/runtime.o $(PRELOADED) $(PLUGIN)) $(SANDBOX) $(if $(LACKING),lacking)

lacking:
	@printf 'make: %s\n' $(LACKING) >&2

$(OUT)/tlbc++: $(OUT)/tlbcc
	ln -sf tlbcc $@

$(BUILT_WITH): always
	@mkdir -p $(@D)
	@echo $(call quoted,$(FLAGS)) | cmp -s - $@ || echo $(call quoted,$(FLAGS)) >$@

# The commit, for --version: where it changes, programs are linked anew.
COMMIT := $(or $(if $(wildcard .git),$(shell git describe --always --dirty --abbrev=12 2>/dev/null)),unknown)
$(OBJ)/commit: always
	@mkdir -p $(@D)
	@echo $(call quoted,$(COMMIT)) | cmp -s - $@ || echo $(call quoted,$(COMMIT)) >$@

# Which build and libraries a program has.
VERSIONED = $(filter-out $(NO_FILE),$(OWN_LIBS))
LIBRARIES = $(foreach l,$(VERSIONED),$l $(shell $(PKG_CONFIG) --modversion $l)$(if $(filter-out $(lastword $(VERSIONED)),$l),$(comma)))
$(OBJ)/version/%.o: src/common/base/version.c $(OBJ)/commit $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -DCOMMIT=$(call quoted,"$(COMMIT)") -DCOMPILER="\"$$($(CC) --version | head -n 1)\"" \
	    -DLIBRARIES=$(call quoted,"$(LIBRARIES)") $(ALL_CFLAGS) -c -o $@ $<

$(foreach file,$(PROGRAM_FILES),$(eval $(OUT)/$(notdir $(file)): $(OBJ)/$(file).o $(OBJ)/version/$(notdir $(file)).o))
$(PROGRAMS:%=$(OUT)/%): $(OBJ)/libtlblab.a
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(OWN_LDLIBS) $(ALL_LDLIBS)
	$(if $(RUN),$(call run_by_name,$@))

# Programs for another processor: RUN=qemu-aarch64 runs them, and the tests. Each is a script that runs NAME.elf.
RUN ?=
run_by_name = mv $1 $1.elf && printf '%s\n' '\#!/bin/sh' 'exec $(RUN) -0 "$$0" "$$0.elf" "$$@"' >$1 && chmod +x $1

OWN_LDLIBS = $(foreach l,$(OWN_LIBS),$(call libs,$l))
$(if $(CARDS),$(OUT)/gpu: OWN_LIBS = OpenCL)
$(if $(HASH),$(OUT)/simulate $(OBJ)/unit/test_student_machine: OWN_LIBS = libmd)

$(OUT)/seccomp: labs/lib/seccomp.c
$(OUT)/apart: labs/lib/apart.c labs/lib/lackey.c labs/lib/reach.c labs/lib/lackey.h labs/lib/reach.h
$(SANDBOX): $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CFLAGS) $(OUR_CPPFLAGS) $(CPPFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^)

$(OBJ)/libtlblab.a: $(COMMON)
	@rm -f $@
	$(AR) qcs $@ $^

# What tlbcc links into programs: never built with sanitizers; the path of tlbsim is compiled in.
RUNTIME = $(CC) $(OUR_CPPFLAGS) $(WARN) -O2 -g -fPIC -ftls-model=initial-exec -fno-builtin
# $(call LINK_RUNTIME,TLBSIM,OBJECT): its files as one object, in which the names that they share are
# local, so that a program may have the same. GNU ld puts a section that it does not know behind .bss: so
# variables of the program that share a page still do when it is traced. The object is moved into place once complete.
RUNTIME_FILES := $(patsubst %,src/trace/runtime/%.c,entry libc control records ring_write stacks callers threads start)
OBJCOPY ?= objcopy
LINK_RUNTIME = $(RUNTIME) -fvisibility=hidden -DTLBSIM_PATH=$(call quoted,"$1") -r -nostdlib -o "$2.new" $(RUNTIME_FILES) && \
    $(OBJCOPY) --localize-hidden --rename-section .bss=.tlblab "$2.new" && mv -f "$2.new" "$2"
RUNTIME_HEADERS := $(wildcard src/trace/runtime/*.h src/trace/format/*.h)
$(OBJ)/runtime.o: $(RUNTIME_FILES) $(RUNTIME_HEADERS) $(BUILT_WITH)
	@mkdir -p $(@D)
	$(call LINK_RUNTIME,$(CURDIR)/$(OUT)/tlbsim,$@)

# They too are moved into place once complete. Each has an unwinder of its own, which it does not export.
$(PRELOADED): $(OBJ)/runtime/%.so: src/trace/runtime/%.c $(RUNTIME_HEADERS) $(BUILT_WITH)
	@mkdir -p $(@D)
	$(RUNTIME) -shared -static-libgcc -Wl,--exclude-libs,ALL -o $@.new $< -ldl && mv -f $@.new $@

PLUGIN_FILES := $(patsubst %,src/trace/runtime/%.c,plugin exec control records ring_write stacks threads start)
LINK_PLUGIN = $(RUNTIME) -fvisibility=hidden -DTLBSIM_PATH=$(call quoted,"$1") -shared -o "$2.new" $(PLUGIN_FILES) && mv -f "$2.new" "$2"
$(PLUGIN): $(PLUGIN_FILES) $(RUNTIME_HEADERS) $(BUILT_WITH)
	@mkdir -p $(@D)
	$(call LINK_PLUGIN,$(CURDIR)/$(OUT)/tlbsim,$@)

$(OBJ)/%.o: src/%.c $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(OWN_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

# What a fuzzer gives inputs to.
TARGETS := $(if $(filter linux,$(PLATFORM)),$(filter-out $(if $(filter libzstd,$(HERE)),,trace),$(patsubst tests/fuzz/targets/%.c,%,$(wildcard tests/fuzz/targets/*.c))))
targets: $(TARGETS:%=$(OBJ)/fuzz/targets/%)
units: $(UNITS:%=$(OBJ)/unit/%) targets $(OBJ)/bench/accuracy $(if $(filter libzstd,$(HERE)),$(OBJ)/fuzz/seal) $(if $(filter plain-linux,$(NAME)-$(PLATFORM)),$(OBJ)/allocation.so $(OBJ)/faults.so) $(if $(CARDS),$(OBJ)/card.so)
# Where there is no CUnit, for another processor or C library, tests/unit/small is enough of it.
CUNIT := $(filter cunit,$(HERE))
$(OBJ)/unit/%: $(OBJ)/unit/%.o $(OBJ)/unit/tap.o $(if $(CUNIT),,$(OBJ)/unit/small/cunit.o) $(OBJ)/libtlblab.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(OWN_LDLIBS) $(ALL_LDLIBS) $(if $(CUNIT),$(call libs,cunit))

$(OBJ)/unit/%.o: tests/unit/%.c $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(if $(filter darwin,$(PLATFORM)),-D_DARWIN_C_SOURCE) -iquote tests/unit $(if $(CUNIT),$(call cflags,cunit),-Itests/unit/small) $(ALL_CFLAGS) $(UNOPTIMISED) -c -o $@ $<

# What tests/pipes/allocation.t and faults.t put before functions of the C library.
$(OBJ)/allocation.so $(OBJ)/faults.so: $(OBJ)/%.so: tests/pipes/%.c $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -fPIC -shared $(ALL_LDFLAGS) -o $@ $< -ldl

# The driver of a simulated card, for tests/pipes/gpu*.t.
$(OBJ)/card.so: tests/pipes/card.c tests/pipes/card_simulated.c tests/pipes/card_simulated.h $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(WARN) -Wno-deprecated-declarations -O2 -g -fPIC -shared $(shell $(PKG_CONFIG) --cflags OpenCL) -o $@ $(filter %.c,$^)

# What tests/bench/accuracy starts.
$(OBJ)/bench/accuracy: $(OBJ)/bench/accuracy.o $(OBJ)/bench/draw.o $(OBJ)/libtlblab.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LDLIBS)

$(OBJ)/bench/%.o: tests/bench/%.c $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -iquote tests/bench $(ALL_CFLAGS) -c -o $@ $<

# With which tests/fuzz/traces makes broken binary traces readable.
$(OBJ)/fuzz/seal: $(OBJ)/fuzz/seal.o $(OBJ)/fuzz/sealing.o $(OBJ)/libtlblab.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(call libs,libzstd) $(ALL_LDLIBS)

# Targets read the inputs of tests/fuzz/corpus; built by clang with VARIANT=fuzz they look for new ones.
$(OBJ)/fuzz/targets/trace: $(OBJ)/fuzz/sealing.o
$(OBJ)/fuzz/targets/trace: OWN_LIBS = libzstd
$(OBJ)/fuzz/targets/%: $(OBJ)/fuzz/targets/%.o $(OBJ)/fuzz/target.o $(OBJ)/fuzz/replay.o $(OBJ)/libtlblab.a
	$(CC) $(ALL_LDFLAGS) $(if $(filter fuzz,$(VARIANT)),-fsanitize=fuzzer) -Wl,--wrap=die,--wrap=warn -o $@ \
	    $(filter-out $(if $(filter fuzz,$(VARIANT)),%/replay.o),$(filter %.o,$^)) $(filter %.a,$^) $(OWN_LDLIBS) $(ALL_LDLIBS)

$(OBJ)/fuzz/%.o: tests/fuzz/%.c $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -iquote tests/fuzz $(ALL_CFLAGS) -c -o $@ $<

# TESTS: only these files. Those that take long come first, so that no processor waits for the last one.
# PROVE_FLAGS: --verbose, --timer. One job more than there are processors, since some tests wait.
JOBS  ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null); echo $$((n + 1)))
TESTS ?= $(wildcard tests/pipes/*.t) $(UNITS:%=$(OBJ)/unit/%)
test: all units
	@RUN="$(RUN)" OUT="$(CURDIR)/$(OUT)" PLATFORM=$(PLATFORM) VARIANT=$(VARIANT) \
	    PERL5LIB=tests prove --norc --nocolor --jobs $(JOBS) --formatter Tally --failures --comments \
	    --exec tests/limited $(PROVE_FLAGS) $(TESTS)

bench: all units
	tests/bench/all

demo: all
	scripts/demo

# Below PREFIX: bin/tlblab alone, since other packages have a chase and a sweep too; the programs in
# libexec/tlblab/; and share/tlblab/ with scripts, plots and a link to the programs, as in the source tree.
# With PLAIN=yes links of the programs and of their pages are where everything finds them by name.
# NATIVE: where the same programs are that run on this machine, for what they say of their options.
PLAIN   ?=
NATIVE  ?= $(OUT)
DEST    := $(DESTDIR)$(PREFIX)
SHARE   := $(DEST)/share/tlblab
LIBEXEC := $(DEST)/libexec/tlblab
MAN     := $(DEST)/share/man/man1
COMPLETIONS := bash-completion/completions/tlblab zsh/site-functions/_tlblab fish/vendor_completions.d/tlblab.fish

install: all
	install -d "$(DEST)/bin" "$(MAN)" "$(LIBEXEC)/man/man1" $(patsubst %,"$(SHARE)/%",scripts plots models data) \
	    $(patsubst %,"$(DEST)/share/%",$(dir $(COMPLETIONS)))
	install -m 755 $(PROGRAMS:%=$(OUT)/%) "$(LIBEXEC)"
	$(if $(TRACES),ln -sf tlbcc "$(LIBEXEC)/tlbc++")
	$(if $(TRACES),install -d "$(DEST)/lib/tlblab")
	$(if $(TRACES),$(call LINK_RUNTIME,$(PREFIX)/libexec/tlblab/tlbsim,$(DEST)/lib/tlblab/runtime.o))
	$(if $(TRACES),$(call LINK_PLUGIN,$(PREFIX)/libexec/tlblab/tlbsim,$(DEST)/lib/tlblab/tlbrun.so))
	$(if $(TRACES),install -m 755 $(PRELOADED) "$(DEST)/lib/tlblab")
	install -m 755 scripts/tlblab scripts/measure scripts/plot scripts/page scripts/profile scripts/fleet scripts/record-machine "$(SHARE)/scripts"
	install -m 644 scripts/page.css scripts/page-tables.awk scripts/profile.awk scripts/work.sh "$(SHARE)/scripts"
	ln -sfn ../../libexec/tlblab "$(SHARE)/bin"
	ln -sf ../share/tlblab/scripts/tlblab "$(DEST)/bin/tlblab"
	install -m 644 $(PROGRAM_FILES:%=src/%.1) "$(LIBEXEC)/man/man1"
	install -m 644 scripts/*.1 "$(MAN)"
	for page in $(PROGRAM_FILES:%=src/%.1); do \
	    awk -v names="$(PROGRAMS)" -f scripts/manpage.awk $$page >"$(MAN)/tlblab-$${page##*/}" || exit; done
	install -m 644 plots/*.p plots/*.awk plots/*.gp "$(SHARE)/plots"
	install -m 644 src/tlb/models/*.tsv "$(SHARE)/models"
	install -m 644 tests/data/*.tsv tests/data/*.dat tests/data/*.txt "$(SHARE)/data"
	cp -R tests/machines "$(SHARE)"
	install -m 644 src/report/*.schema.json "$(SHARE)"
	for file in $(COMPLETIONS); do OUT=$(NATIVE) scripts/completion $${file%%[-/]*} >"$(DEST)/share/$$file" || exit; done
	$(if $(PLAIN),cd "$(DEST)/bin" && ln -sf $(patsubst %,../libexec/tlblab/%,$(PROGRAMS) $(if $(TRACES),tlbc++)) .)
	$(if $(PLAIN),cd "$(MAN)" && ln -sf $(PROGRAMS:%=../../../libexec/tlblab/man/man1/%.1) .)

# Of files with a program's name only our own links go.
uninstall:
	for file in $(patsubst %,bin/%,$(PROGRAMS) tlbc++) $(PROGRAMS:%=share/man/man1/%.1); do \
	    case $$(readlink "$(DEST)/$$file") in ../*libexec/tlblab/*) rm -f "$(DEST)/$$file" ;; esac; done
	rm -f "$(DEST)/bin/tlblab" $(patsubst %,"$(MAN)/%",$(notdir $(wildcard scripts/*.1)) $(PROGRAMS:%=tlblab-%.1)) \
	    $(patsubst %,"$(DEST)/share/%",$(COMPLETIONS))
	rm -rf "$(SHARE)" "$(LIBEXEC)" "$(DEST)/lib/tlblab"

# What is published of a version, in .release/.
release:
	scripts/release

dist:
	git archive --prefix=tlblab-$(VERSION)/ -o tlblab-$(VERSION).tar.gz HEAD

# What students of labs/ get: the toolkit with the course, without solutions, planted mistakes, and the
# tests that have them.
EXERCISES    := $(words $(wildcard labs/[0-9][0-9]-*/check))
FOR_TEACHERS := labs/instructor tests/pipes/labs* tests/bench/submissions tests/bench/mutants
dist-students:
	@file=$${STUDENTS:-tlblab-students-$(VERSION).tar.gz} && \
	git archive --prefix=tlblab-$(VERSION)/ -o "$$file" HEAD -- . $(foreach f,$(FOR_TEACHERS),':(exclude,glob)$f' ':(exclude,glob)$f/**') && \
	echo "wrote $$file: the toolkit and $(EXERCISES) exercises"

# The folder labs/ alone. Named one by one, so that no solution slips in.
handout:
	@file=$${HANDOUT:-tlblab-labs-$(VERSION).tar.gz} && tar -czf - labs/README.md labs/PLAN.md labs/SYSTEMS.md labs/CHEATSHEET.md labs/LESSONS.md labs/best labs/grade labs/run labs/sandbox \
	    $(filter-out labs/lib/seccomp labs/lib/apart,$(wildcard labs/lib/*)) $(wildcard labs/courses/*) labs/machines/README.md $(wildcard labs/machines/*.png) \
	    $(wildcard $(foreach f,README.md hint starter/* losses.c check runs \
	        expected.png mine.p data/*,labs/[0-9][0-9]-*/$(f))) \
	    $(wildcard labs/drawings/*.svg) $(foreach f,README.md rank starter.c task.c,labs/ladder/$(f)) >"$$file" && \
	echo "wrote $$file: $(EXERCISES) exercises"

# The course as web pages and as course.pdf, in .site/.
site:
	scripts/site --pdf

# Grades the submissions in DIR, a folder for each student, or an archive.
marks: all
	@[ -n "$$DIR" ] || { echo 'make marks DIR=FOLDER' >&2; exit 2; }
	labs/instructor/marks $(if $(WEAK),--weak) $${SECRET:+--secret "$$SECRET"} $${COURSE:+--course "$$COURSE"} $(if $(RESUME),--resume) -- "$$DIR" $${OUTDIR:+"$$OUTDIR"}

# What every compiler and checker of our sources must be given; scripts/test asks.
print-flags:
	@echo $(WARN) $(OUR_CPPFLAGS)

clean:
	rm -rf .site bin/.obj bin/demo bin/model bin/tlbc++ bin/seccomp bin/apart $(PROGRAMS:%=bin/%)

-include $(wildcard $(OBJ)/*.d $(OBJ)/*/*.d $(OBJ)/*/*/*.d)
