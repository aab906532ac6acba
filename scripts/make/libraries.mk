# libraries.mk: the libraries that few programs need. Where one is missing, what needs it is left out.
# NEEDS.LIBRARY: those programs, modules and tests. USES.LIBRARY: others that are linked with it.
# INSTEAD.LIBRARY: modules that are left out where it is there. DEBIAN.LIBRARY: its package.
# WITHOUT.LIBRARY: what is missing, where that is not the programs of NEEDS.

DEBIAN.hwloc   := libhwloc-dev
NEEDS.hwloc    := tlb/machine memory/pingpong report/tohwloc common/machine/topology report/import/hwloc_xml
INSTEAD.hwloc  := report/import/hwloc_none
USES.hwloc     := report/import
WITHOUT.hwloc  := machine, pingpong, tohwloc, import hwloc

DEBIAN.json-c  := libjson-c-dev
NEEDS.json-c   := report/tojson $(filter report/payload/%,$(MODULES))

DEBIAN.libzstd := libzstd-dev
NEEDS.libzstd  := $(addprefix trace/,tlbsim misses tlbcost tlbcc tlbrun format/trace_read format/trace_write) \
                  $(filter trace/test_trace%,$(UNITS)) fuzz/seal fuzz/targets/trace

DEBIAN.libdw   := libdw-dev
NEEDS.libdw    := $(addprefix trace/,misses tlbcost test_trace_attribution attribution/binary attribution/frames attribution/symbol_list)

# Demangles the names of C++. On macOS libc++ does, a part of the system.
DEMANGLER      := $(if $(filter darwin,$(PLATFORM)),libc++,libstdc++)
DEBIAN.libstdc++   := g++
NEEDS.$(DEMANGLER) := trace/misses trace/tlbcost trace/test_trace_attribution

# Counters of processes, on Linux.
DEBIAN.libpfm  := libpfm4-dev
NEEDS.libpfm   := trace/tlbcost platform/linux_events

# A hash, by which simulate draws machines for students.
DEBIAN.libmd   := libmd-dev
WITHOUT.libmd  := simulate --id
NEEDS.libmd    := tlb/simulate/hash_md tlb/simulate/test_student_machine
INSTEAD.libmd  := tlb/simulate/hash_none
USES.libmd     := tlb/simulate

# Memory on a chosen node, on Linux; every program is linked with it.
DEBIAN.numa    := libnuma-dev
WITHOUT.numa   := memory on a chosen node
NEEDS.numa     := platform/numa
INSTEAD.numa   := platform/numa_none

# Graphics cards, where the platform can measure.
DEBIAN.OpenCL  := ocl-icd-opencl-dev
WITHOUT.OpenCL := graphics cards
NEEDS.OpenCL   := $(filter memory/card/%_opencl,$(MODULES))
INSTEAD.OpenCL := $(filter memory/card/%_none,$(MODULES))
USES.OpenCL    := memory/gpu

LIBRARIES := hwloc json-c libzstd libdw $(DEMANGLER) $(if $(filter linux,$(PLATFORM)),libpfm) libmd \
    $(if $(filter linux,$(PLATFORM)),numa) $(if $(filter-out none,$(PLATFORM)),OpenCL)

# pkg-config knows them, or the compiler those that have no file for it. With PKG_CONFIG=false there are none.
PKG_CONFIG ?= pkg-config
NO_FILE := libpfm libstdc++ libc++
HERE := $(shell for l in $(filter-out $(NO_FILE),$(LIBRARIES)) cunit; do $(PKG_CONFIG) --exists $$l 2>/dev/null && echo $$l; done) \
    $(filter libc++,$(LIBRARIES)) $(foreach l,$(if $(filter-out false,$(PKG_CONFIG)),$(filter libpfm libstdc++,$(LIBRARIES))), \
        $(if $(wildcard $(shell $(CC) -print-file-name=$l.so 2>/dev/null)),$l))
MISSING := $(filter-out $(HERE),$(LIBRARIES))

LEFT_OUT := $(foreach l,$(filter-out $(HERE),$(LIBRARIES) OpenCL),$(NEEDS.$l)) $(foreach l,$(HERE),$(INSTEAD.$l))

# $(call libs,LIBRARY...) and $(call cflags,LIBRARY...): what links with them, and compiles.
libs   = $(foreach l,$1,$(if $(filter $l,$(NO_FILE)),$(l:lib%=-l%),$(shell $(PKG_CONFIG) --libs $l)))
cflags = $(foreach l,$(filter-out $(NO_FILE),$1),$(shell $(PKG_CONFIG) --cflags $l))
# $(call libraries_of,FILE): those of a program, a module or a test; $(call file_of,PROGRAM): its file.
file_of = $(filter %/$1,$(PROGRAM_FILES))
libraries_of = $(foreach l,$(HERE),$(if $(filter $1,$(NEEDS.$l) $(USES.$l)),$l))

# Every program is linked with these.
AS_NEEDED := -Wl,--as-needed
FOR_ALL := $(if $(filter numa,$(HERE)),$(AS_NEEDED) $(call libs,numa))

# The message of `make all` about those that are missing.
programs_of = $(notdir $(filter $(PROGRAM_FILES),$(NEEDS.$1)))
LACKING := $(strip $(if $(shell command -v $(PKG_CONFIG)),,'no $(PKG_CONFIG) here, so no library is found') \
    $(foreach l,$(MISSING),'left out for lack of $l (Debian: $(DEBIAN.$l)): $(or $(WITHOUT.$l),$(call programs_of,$l))'))
lacking:
	@printf 'make: %s\n' $(LACKING) 'scripts/deps build installs all that is missing' >&2
