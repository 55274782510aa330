# SPDX-License-Identifier: BSD-3-Clause
# A thin front over Meson: installs what is missing (Debian packages; asks for sudo only then), configures, builds, runs.
#   make            builds into build/
#   make check      all tests (those of checkpoints if `make criu` comes to something); those without MPI once more under AddressSanitizer and UBSan;
#                   last lines: what failed, what was skipped and why; N passed, N failed, N skipped
#   make demo       a real program and one of ours: predicted, run in full, compared; results in demo/
#   make criu       gets CRIU, which saves and restores jobs for firma, into build/criu; the system stays as it is
#   make dmtcp      builds DMTCP, which does so without root, in build/dmtcp; takes some minutes
#   make install    to the prefix that Meson was configured with (SETUP='--prefix=$HOME/.local')
#   make clean      removes the build folders
# SETUP: further options for `meson setup`. A build folder is configured anew when packages have been installed since.
BUILD = build
SANITIZED = build-sanitized
SETUP =

.PHONY: all check criu dmtcp demo install clean needs-build needs-check needs-demo

all: needs-build
	$(call configure,$(BUILD))
	ninja -C $(BUILD) $$(tools/installed_targets.py $(BUILD))

check: needs-check
	$(call configure,$(BUILD))
	$(call configure,$(SANITIZED),--buildtype=debug -Db_sanitize=address$(comma)undefined -Db_lundef=false)
	ninja -C $(BUILD) $$(tools/installed_targets.py $(BUILD))
	-timeout 60 tools/criu.sh $(BUILD)/criu
	python3 tools/check.py $(BUILD) $(SANITIZED):unit

demo: needs-demo all
	ninja -C $(BUILD) apps
	python3 examples/demo.py --firma $(BUILD)/src/cli/firma --apps $(BUILD)/tests/apps

criu:
	tools/criu.sh $(BUILD)/criu

dmtcp:
	tools/dmtcp.sh $(BUILD)/dmtcp

install: all
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf $(BUILD) $(SANITIZED)

needs-build needs-check needs-demo: needs-%:
	@tools/dependencies.sh $*

# Folder, options. Meson remembers what it has looked for, so after an installation it is told to look again.
PACKAGES = /var/lib/dpkg/status
comma = ,
define configure
	@if [ ! -e $(1)/build.ninja ]; then \
	    meson setup $(SETUP) $(2) $(1); \
	elif [ $(PACKAGES) -nt $(1)/build.ninja ]; then \
	    meson configure --clearcache $(1) && meson setup --reconfigure $(1); \
	fi
	$(if $(SETUP),meson configure $(SETUP) $(1))
endef
