# tlblab: make builds all programs, in bin/. make test, bench, demo, install, uninstall, clean.
# The rest is in scripts/make/: course.mk has handout, dist-students, site and marks; install.mk release and dist.
# Variants: make VARIANT=asan; PLATFORM=none builds without measuring; CC=clang.
# Another processor: VARIANT=aarch64 CC=aarch64-linux-gnu-gcc PKG_CONFIG=false LDFLAGS=-static RUN=qemu-aarch64.

.DELETE_ON_ERROR:
# Objects of tests stay: the next make wants them, since their .d files name them.
.SECONDARY:
.SUFFIXES:
.PHONY: all lacking units targets test bench demo install uninstall clean print-flags always
.DEFAULT_GOAL := all

comma    := ,
VERSION  := $(shell sed -n 's/.*TLBLAB_VERSION "\(.*\)"/\1/p' src/common/base/args.h)
PREFIX   ?= /usr/local
DESTDIR  ?=
VARIANT  ?= plain
PLATFORM ?= $(if $(filter Darwin,$(shell uname -s)),darwin,$(if $(filter Linux,$(shell uname -s)),linux,none))

# ---- how files are compiled ----

# Sanitized code is compiled in half the time with -Og, and runs as fast. What a compiler warns of there
# is less exact than with -O2, which the plain build shows.
CFLAGS.asan := -Og -g1 -w
CFLAGS.fuzz := -O1 -g1 -w
CFLAGS   ?= $(or $(CFLAGS.$(VARIANT)),-O2 -g)
# Recent clang warns where a constant of an enumeration meets a double.
WARN     := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
            $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),-Wno-enum-float-conversion)
OUR_CPPFLAGS := -D_POSIX_C_SOURCE=200809L -iquote src -iquote src/common -iquote src/platform
ALL_CPPFLAGS := $(OUR_CPPFLAGS) $(CPPFLAGS)

SANITIZE.asan := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
SANITIZE.fuzz := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
ALL_CFLAGS  = $(WARN) $(CFLAGS) $(SANITIZE.$(VARIANT)) -MMD -MP
ALL_LDFLAGS = $(SANITIZE.$(VARIANT)) $(LDFLAGS)
ALL_LDLIBS  = $(FOR_ALL) -lm -pthread $(LDLIBS)

# The plain build on this machine's platform lies in bin/; every other one below bin/.obj.
NAME := $(VARIANT)$(if $(filter none,$(PLATFORM)),-none)
OBJ  := bin/.obj/$(NAME)
OUT  := $(if $(filter plain,$(NAME)),bin,$(OBJ)/bin)

# ---- what there is ----

# A folder of src/ is a family: its programs, and below it their modules. libraries.mk says what is left out.
PROGRAM_FILES := $(patsubst src/%.c,%,$(filter-out src/platform/%,$(wildcard src/*/*.c)))
MODULES  := $(patsubst src/%.c,%,$(filter-out src/trace/runtime/%,$(wildcard src/*/*/*.c)))
# A platform's own files, and those that it shares with others. root, sink and sysfs only read files.
PLATFORM_FILES := $(patsubst src/%.c,%,$(wildcard src/platform/$(PLATFORM).c src/platform/$(PLATFORM)_*.c \
    src/platform/sysfs*.c)) $(addprefix platform/,root sink numa_none \
    $(if $(filter linux,$(PLATFORM)),numa,not_linux) $(if $(filter-out none,$(PLATFORM)),posix posix_threads))
UNITS    := $(patsubst tests/%.c,%,$(wildcard tests/*/test_*.c tests/*/*/test_*.c))
include scripts/make/libraries.mk

PROGRAM_FILES := $(filter-out $(LEFT_OUT),$(PROGRAM_FILES))
PROGRAMS := $(sort $(notdir $(PROGRAM_FILES)))
UNITS    := $(filter-out $(LEFT_OUT),$(UNITS))
COMMON   := $(patsubst %,$(OBJ)/%.o,$(filter-out $(LEFT_OUT),$(MODULES) $(PLATFORM_FILES)))

# ---- make all ----

include scripts/make/version.mk scripts/make/traced.mk scripts/make/course.mk

all: $(PROGRAMS:%=$(OUT)/%) $(TRACED) $(SANDBOX) $(if $(LACKING),lacking)

# Each program is its own object, that of --version, and what it takes from the library of all modules.
$(foreach file,$(PROGRAM_FILES),$(eval $(OUT)/$(notdir $(file)): $(OBJ)/$(file).o $(OBJ)/version/$(notdir $(file)).o))
$(PROGRAMS:%=$(OUT)/%): $(OBJ)/libtlblab.a
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(call libs,$(call libraries_of,$(call file_of,$(@F)))) $(ALL_LDLIBS)
	$(if $(RUN),$(call run_by_name,$@))

$(OBJ)/libtlblab.a: $(COMMON)
	@rm -f $@
	$(AR) qcs $@ $^

$(OBJ)/%.o: src/%.c $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(call cflags,$(call libraries_of,$*)) $(ALL_CFLAGS) -c -o $@ $<

# Programs for another processor: RUN=qemu-aarch64 runs them, and the tests. Each is a script that runs NAME.elf.
RUN ?=
run_by_name = mv $1 $1.elf && printf '%s\n' '\#!/bin/sh' 'exec $(RUN) -0 "$$0" "$$0.elf" "$$@"' >$1 && chmod +x $1

# ---- make test ----

include scripts/make/tests.mk

# TESTS: only these files. PROVE_FLAGS: --verbose, --timer. One job more than there are processors, since some
# tests wait.
JOBS  ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null); echo $$((n + 1)))
TESTS ?= $(filter-out tests/parts/%,$(wildcard tests/*/*.t tests/*/*/*.t)) $(UNITS:%=$(OBJ)/tests/%)
test: all units
	@RUN="$(RUN)" OUT="$(CURDIR)/$(OUT)" PLATFORM=$(PLATFORM) VARIANT=$(VARIANT) \
	    PERL5LIB=tests prove --norc --nocolor --jobs $(JOBS) --formatter Tally --failures --comments \
	    --exec tests/limited $(PROVE_FLAGS) $(TESTS)

bench: all units
	tests/bench/all

demo: all
	scripts/demo

# Flags that every compiler and checker of our sources needs; scripts/test asks for them.
print-flags:
	@echo $(WARN) $(OUR_CPPFLAGS)

# ---- make install ----

include scripts/make/install.mk

clean:
	rm -rf .site bin/.obj bin/demo bin/hierarchy bin/tlbc++ bin/seccomp bin/apart $(PROGRAMS:%=bin/%)

-include $(wildcard $(OBJ)/*.d $(OBJ)/*/*.d $(OBJ)/*/*/*.d $(OBJ)/*/*/*/*.d)
