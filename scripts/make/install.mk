# install.mk: what is installed, and where; what is published.
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

$(OBJ)/completion/%: scripts/completion scripts/tlblab $(PROGRAMS:%=$(OUT)/%)
	@mkdir -p $(@D)
	OUT=$(NATIVE) scripts/completion $* >$@

install: all $(addprefix $(OBJ)/completion/,bash zsh fish) $(if $(TRACES),$(RUNTIME_FILES) $(PLUGIN_FILES))
	install -d "$(DEST)/bin" "$(MAN)" "$(LIBEXEC)/man/man1" $(patsubst %,"$(SHARE)/%",scripts plots models data) \
	    $(patsubst %,"$(DEST)/share/%",$(dir $(COMPLETIONS)))
	install -m 755 $(PROGRAMS:%=$(OUT)/%) "$(LIBEXEC)"
	$(if $(TRACES),ln -sf tlbcc "$(LIBEXEC)/tlbc++")
	$(if $(TRACES),install -d "$(DEST)/lib/tlblab")
	$(if $(TRACES),$(call LINK_RUNTIME,$(PREFIX)/libexec/tlblab/tlbsim,$(DEST)/lib/tlblab/runtime.o))
	$(if $(TRACES),$(call LINK_PLUGIN,$(PREFIX)/libexec/tlblab/tlbsim,$(DEST)/lib/tlblab/tlbrun.so))
	$(if $(TRACES),install -m 755 $(PRELOADED) "$(DEST)/lib/tlblab")
	install -m 755 scripts/tlblab scripts/measure scripts/plot scripts/page scripts/profile scripts/fleet scripts/record-machine "$(SHARE)/scripts"
	install -m 644 scripts/page.css scripts/page-tables.awk scripts/profile.awk scripts/common.sh "$(SHARE)/scripts"
	ln -sfn ../../libexec/tlblab "$(SHARE)/bin"
	ln -sf ../share/tlblab/scripts/tlblab "$(DEST)/bin/tlblab"
	install -m 644 $(PROGRAM_FILES:%=src/%.1) "$(LIBEXEC)/man/man1"
	install -m 644 scripts/*.1 "$(MAN)"
	for page in $(PROGRAM_FILES:%=src/%.1); do \
	    awk -v names="$(PROGRAMS)" -f scripts/manpage.awk $$page >"$(MAN)/tlblab-$${page##*/}" || exit; done
	cp -R plots "$(SHARE)" && rm "$(SHARE)"/plots/*.png
	install -m 644 src/tlb/models/*.tsv "$(SHARE)/models"
	install -m 644 tests/data/*.tsv tests/data/*.dat tests/data/*.txt "$(SHARE)/data"
	cp -R tests/machines "$(SHARE)"
	install -m 644 src/report/*.schema.json "$(SHARE)"
	for file in $(COMPLETIONS); do install -m 644 $(OBJ)/completion/$${file%%[-/]*} "$(DEST)/share/$$file" || exit; done
	$(if $(PLAIN),cd "$(DEST)/bin" && ln -sf $(patsubst %,../libexec/tlblab/%,$(PROGRAMS) $(if $(TRACES),tlbc++)) .)
	$(if $(PLAIN),cd "$(MAN)" && ln -sf $(PROGRAMS:%=../../../libexec/tlblab/man/man1/%.1) .)

# Of files with a program's name only our own links go.
uninstall:
	for file in $(patsubst %,bin/%,$(PROGRAMS) tlbc++) $(PROGRAMS:%=share/man/man1/%.1); do \
	    case $$(readlink "$(DEST)/$$file") in ../*libexec/tlblab/*) rm -f "$(DEST)/$$file" ;; esac; done
	rm -f "$(DEST)/bin/tlblab" $(patsubst %,"$(MAN)/%",$(notdir $(wildcard scripts/*.1)) $(PROGRAMS:%=tlblab-%.1)) \
	    $(patsubst %,"$(DEST)/share/%",$(COMPLETIONS))
	rm -rf "$(SHARE)" "$(LIBEXEC)" "$(DEST)/lib/tlblab"

# What is published of a version, in .release/, and its source alone.
.PHONY: release dist
release:
	scripts/release

dist:
	git archive --prefix=tlblab-$(VERSION)/ -o tlblab-$(VERSION).tar.gz HEAD
