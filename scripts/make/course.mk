# course.mk: the lab course: what isolates programs of students, what students get, the web pages, the marks.
.PHONY: dist-students handout site marks

# Helpers of labs/lib/sandbox, which runs the programs of students.
SANDBOX := $(if $(filter plain-linux,$(NAME)-$(PLATFORM)),$(if $(wildcard labs/lib/seccomp.c),$(OUT)/seccomp $(OUT)/apart))
$(OUT)/seccomp: labs/lib/seccomp.c
$(OUT)/apart: labs/lib/apart.c labs/lib/lackey.c labs/lib/reach.c labs/lib/lackey.h labs/lib/reach.h
$(SANDBOX): $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CFLAGS) $(OUR_CPPFLAGS) $(CPPFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^)

# Names from the command line reach the shell through the environment: neither make nor the shell expands them.
$(foreach v,STUDENTS HANDOUT DIR OUTDIR SECRET COURSE,$(if $(filter command,$(origin $v)), \
    $(eval override $v := $$(value $v)) $(eval export $v)))

# $(call to_file,VARIABLE): refuses a $$file that cannot be written to.
to_file = { [ -w "$$file" ] || { [ ! -e "$$file" ] && [ -w "$$(dirname "$$file")/." ]; }; } || \
    { echo "make: cannot write to $$file as $$(id -un): $1=FILE names another" >&2; exit 2; }

# The archive for students of labs/: the toolkit with the course, without solutions, planted mistakes, and the
# tests that have them.
EXERCISES    := $(words $(wildcard labs/[0-9][0-9]-*/check))
FOR_TEACHERS := labs/instructor tests/labs tests/bench/submissions
dist-students:
	@file=$${STUDENTS:-tlblab-students-$(VERSION).tar.gz}; $(call to_file,STUDENTS); \
	git archive --prefix=tlblab-$(VERSION)/ -o "$$file" HEAD -- . $(foreach f,$(FOR_TEACHERS),':(exclude,glob)$f' ':(exclude,glob)$f/**') && \
	echo "wrote $$file: the toolkit and $(EXERCISES) exercises"

# The folder labs/ alone. Named one by one, so that no solution slips in.
handout:
	@file=$${HANDOUT:-tlblab-labs-$(VERSION).tar.gz}; $(call to_file,HANDOUT); tar -czf - labs/README.md labs/run labs/hint \
	    $(filter-out labs/lib/seccomp labs/lib/apart labs/lib/ladder,$(wildcard labs/lib/*)) \
	    $(foreach f,README.md rank starter.c task.c,labs/lib/ladder/$(f)) \
	    $(wildcard $(foreach f,README.md starter/* losses.c check expected.png picture.p data/*,labs/[0-9][0-9]-*/$(f))) >"$$file" && \
	echo "wrote $$file: $(EXERCISES) exercises"

# The course as web pages, as course.pdf and sheets.pdf, in .site/.
site:
	scripts/site --pdf

# Grades the submissions in DIR, a folder for each student, or an archive.
marks: all
	@[ -n "$$DIR" ] || { echo 'make marks DIR=FOLDER' >&2; exit 2; }
	labs/instructor/marks $(if $(WEAK),--weak) $${SECRET:+--secret "$$SECRET"} $${COURSE:+--course "$$COURSE"} $${PAIRS:+--groups "$$PAIRS"} $(if $(RESUME),--resume) -- "$$DIR" $${OUTDIR:+"$$OUTDIR"}

