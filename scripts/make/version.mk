# version.mk: when all is built anew, and what --version prints.

# $(call quoted,TEXT): one word for the shell. $(call keep,TEXT): written to the target only where that changes, the
# first that a build writes.
quoted = '$(subst ','\'',$1)'
keep   = echo $(call quoted,$1) | cmp -s - $@ || \
    { mkdir -p $(@D) && echo $(call quoted,$1) >$@; } 2>/dev/null || \
    { echo make: cannot write to $(call quoted,$(CURDIR)/bin) as "$$(id -un)": build in a copy of your own >&2; exit 2; }

# The compiler, flags and libraries of all objects.
BUILT_WITH := $(OBJ)/built-with
$(BUILT_WITH): always
	@$(call keep,$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(ALL_LDLIBS) $(HERE))

# The commit: where it changes, programs are linked anew. git may trust the owner of this folder, since make does.
COMMIT := $(or $(if $(wildcard .git),$(shell git -c safe.directory=$(call quoted,$(CURDIR)) describe --always --dirty --abbrev=12 2>/dev/null)),unknown)
$(OBJ)/commit: always
	@$(call keep,$(COMMIT))

# Which build and libraries a program has.
versioned = $(filter-out $(NO_FILE),$(call libraries_of,$(call file_of,$1)))
versions  = $(foreach l,$1,$l $(shell $(PKG_CONFIG) --modversion $l)$(if $(filter-out $(lastword $1),$l),$(comma)))
COMPILER  := $(shell $(CC) --version 2>/dev/null | head -n 1)
$(OBJ)/version/%.o: src/common/base/version.c $(OBJ)/commit $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -DCOMMIT=$(call quoted,"$(COMMIT)") -DCOMPILER=$(call quoted,"$(COMPILER)") \
	    -DLIBRARIES=$(call quoted,"$(call versions,$(call versioned,$*))") $(ALL_CFLAGS) -c -o $@ $<
