# tests.mk: what the tests need beside the programs.
WORKERS := $(filter-out $(LEFT_OUT),bench/accuracy fuzz/seal)
TARGETS := $(if $(filter linux,$(PLATFORM)),$(filter-out $(LEFT_OUT), \
    $(patsubst tests/%.c,%,$(wildcard tests/fuzz/targets/*.c))))
units: $(addprefix $(OBJ)/tests/,$(UNITS) $(WORKERS)) targets $(if $(filter OpenCL,$(HERE)),$(OBJ)/tests/card.so) \
    $(if $(filter plain-linux,$(NAME)-$(PLATFORM)),$(OBJ)/tests/allocation.so $(OBJ)/tests/faults.so)
targets: $(TARGETS:%=$(OBJ)/tests/%)

# Unit tests build three times faster at -O0; the code under test stays optimised. CFLAGS that are given hold
# for them too.
UNOPTIMISED := $(if $(filter file,$(origin CFLAGS)),-O0)
$(OBJ)/tests/bench/%.o $(OBJ)/tests/fuzz/%.o: UNOPTIMISED :=

# Without CUnit, as for another processor or C library, tests/small is enough of it.
CUNIT := $(filter cunit,$(HERE))
CUNIT_LIBS := $(call libs,$(CUNIT))
TEST_CPPFLAGS := -iquote tests -iquote tests/fuzz $(if $(CUNIT),$(call cflags,cunit),-Itests/small) \
    $(if $(filter darwin,$(PLATFORM)),-D_DARWIN_C_SOURCE)

$(OBJ)/tests/%.o: tests/%.c $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(TEST_CPPFLAGS) $(ALL_CFLAGS) $(UNOPTIMISED) -c -o $@ $<

# $(call link,OPTIONS): with the libraries that its file needs.
link = $(CC) $(ALL_LDFLAGS) $1 -o $@ $(filter %.o,$^) $(filter %.a,$^) $(call libs,$(call libraries_of,$(@:$(OBJ)/tests/%=%))) $(ALL_LDLIBS)

# tests/bench/accuracy starts the one; with the other tests/fuzz/traces makes broken traces readable.
$(OBJ)/tests/bench/accuracy: $(OBJ)/tests/bench/draw.o
$(WORKERS:%=$(OBJ)/tests/%): %: %.o $(OBJ)/libtlblab.a
	$(call link)

# Targets read what tests/fuzz/seeds copies; built by clang with VARIANT=fuzz they look for new ones.
$(TARGETS:%=$(OBJ)/tests/%): %: %.o $(OBJ)/tests/fuzz/target.o $(if $(filter fuzz,$(VARIANT)),,$(OBJ)/tests/fuzz/replay.o) \
    $(OBJ)/libtlblab.a
	$(call link,$(if $(filter fuzz,$(VARIANT)),-fsanitize=fuzzer) -Wl$(comma)--wrap=die$(comma)--wrap=warn)

$(UNITS:%=$(OBJ)/tests/%): %: %.o $(OBJ)/tests/tap.o $(if $(CUNIT),,$(OBJ)/tests/small/cunit.o) $(OBJ)/libtlblab.a
	$(call link) $(CUNIT_LIBS)

# allocation.t and faults.t put them before functions of the C library.
$(OBJ)/tests/allocation.so: tests/common/base/allocation.c
$(OBJ)/tests/faults.so: tests/tlb/chase/faults.c
$(OBJ)/tests/allocation.so $(OBJ)/tests/faults.so: $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -fPIC -shared $(ALL_LDFLAGS) -o $@ $(filter %.c,$^) -ldl

# The driver of a simulated card, for the tests of gpu.
$(OBJ)/tests/card.so: $(addprefix tests/memory/,card.c card_simulated.c card_simulated.h) $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(WARN) -Wno-deprecated-declarations -O2 -g -fPIC -shared $(call cflags,OpenCL) -o $@ $(filter %.c,$^)
