# release.mk: what is published of a version, in .release/, and its source alone.
.PHONY: release dist
release:
	scripts/release

dist:
	git archive --prefix=tlblab-$(VERSION)/ -o tlblab-$(VERSION).tar.gz HEAD

