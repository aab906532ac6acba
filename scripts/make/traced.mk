# traced.mk: what traces programs, on Linux: object files that tlbcc links into them, libraries that tlbcost and
# tlbrun preload, and the plugin that tlbrun puts into qemu-user.
TRACES := $(if $(filter linux,$(PLATFORM)),$(filter tlbcc,$(PROGRAMS)))
PRELOADED := $(OBJ)/runtime/huge.so $(OBJ)/runtime/objects.so $(OBJ)/runtime/guest.so
PLUGIN := $(OBJ)/runtime/tlbrun.so
TRACED := $(if $(TRACES),$(OUT)/tlbc++ $(OBJ)/runtime.o $(PRELOADED) $(PLUGIN))

$(OUT)/tlbc++: $(OUT)/tlbcc
	ln -sf tlbcc $@

# The runtime is never built with sanitizers. The path of tlbsim is compiled into start.c: into its object here,
# and once more where it is installed.
RUNTIME = $(CC) $(OUR_CPPFLAGS) $(WARN) -O2 -g -fPIC -ftls-model=initial-exec -fno-builtin -fvisibility=hidden
RUNTIME_HEADERS := $(wildcard src/trace/runtime/*.h src/trace/format/*.h)
$(OBJ)/runtime/%.o: src/trace/runtime/%.c $(RUNTIME_HEADERS) $(BUILT_WITH)
	@mkdir -p $(@D)
	$(RUNTIME) -c -o $@ $<

# $(call LINK_RUNTIME,TLBSIM,OBJECT): its files as one object, in which the names that they share are
# local, so that a program may have the same. GNU ld puts a section that it does not know after .bss: so
# variables of the program that share a page still do when it is traced. The object is moved into place once complete.
RUNTIME_FILES := $(patsubst %,$(OBJ)/runtime/%.o,entry libc control records levels ring_write stacks callers threads)
OBJCOPY ?= objcopy
LINK_RUNTIME = $(RUNTIME) -DTLBSIM_PATH=$(call quoted,"$1") -r -nostdlib -o "$2.new" $(RUNTIME_FILES) src/trace/runtime/start.c && \
    $(OBJCOPY) --localize-hidden --rename-section .bss=.tlblab "$2.new" && mv -f "$2.new" "$2"
$(OBJ)/runtime.o: $(RUNTIME_FILES) src/trace/runtime/start.c
	$(call LINK_RUNTIME,$(CURDIR)/$(OUT)/tlbsim,$@)

PLUGIN_FILES := $(patsubst %,$(OBJ)/runtime/%.o,plugin exec static_guest control records levels ring_write stacks threads)
LINK_PLUGIN = $(RUNTIME) -DTLBSIM_PATH=$(call quoted,"$1") -shared -o "$2.new" $(PLUGIN_FILES) src/trace/runtime/start.c && mv -f "$2.new" "$2"
$(PLUGIN): $(PLUGIN_FILES) src/trace/runtime/start.c
	$(call LINK_PLUGIN,$(CURDIR)/$(OUT)/tlbsim,$@)

# The preloaded libraries too are moved into place once complete. Each has an unwinder of its own, which it does
# not export.
$(PRELOADED): $(OBJ)/runtime/%.so: src/trace/runtime/%.c $(RUNTIME_HEADERS) $(BUILT_WITH)
	@mkdir -p $(@D)
	$(RUNTIME) -fvisibility=default -shared -static-libgcc -Wl,--exclude-libs,ALL -o $@.new $< -ldl && mv -f $@.new $@
