# SPDX-License-Identifier: BSD-3-Clause
# A thin front over Meson: installs missing Debian packages (asks for sudo only then), configures, builds, runs.
#   make            builds into build/
#   make check      runs all tests (those of checkpoints if `make criu` succeeds, those of a cluster if `make cluster`
#                   does), unit tests without Java under AddressSanitizer and UBSan; ends with the
#                   failures, the skipped tests with their reasons, and a line N passed, N failed, N skipped
#   make soak       runs tools/soak.sh: 10^7 inputs of fuzzers, then all tests several times, with the combinations that
#                   `make check` leaves out
#   make demo       predicts a real program and one of ours, runs them in full, compares; results in demo/
#   make criu       gets CRIU, which saves and restores jobs for firma, into build/criu; doesn't change the system
#   make dmtcp      builds DMTCP, which does the same without root, in build/dmtcp; takes some minutes
#   make cluster    gets Slurm and an ssh server, for the tests on a cluster, into build/cluster; doesn't change the system
#   make docs/accuracy.svg   draws the README's picture again, from docs/accuracy.csv
#   make install    installs to the prefix that Meson was configured with (SETUP='--prefix=$HOME/.local')
#   make clean      removes the build folders
# SETUP: further options for `meson setup`. If packages were installed meanwhile, a build folder is configured again.
BUILD = build
SANITIZED = build-sanitized
SETUP =

.PHONY: all check soak criu dmtcp cluster demo install clean needs-build needs-check needs-demo

all: needs-build
	$(call configure,$(BUILD))
	ninja -C $(BUILD) $$(tools/installed_targets.py $(BUILD))

check: needs-check
	$(call configure,$(BUILD))
	$(call configure,$(SANITIZED),--buildtype=debug -Dc_args=-g1 -Db_sanitize=address$(comma)undefined -Db_lundef=false)
	timeout 120 tools/criu.sh $(BUILD)/criu & timeout 120 tools/cluster.sh $(BUILD)/cluster & \
	    ninja -C $(BUILD) $$(tools/installed_targets.py $(BUILD)); status=$$?; wait; exit $$status
	python3 tools/check.py $(BUILD):-unit $(SANITIZED):unit

soak:
	tools/soak.sh

demo: needs-demo all
	ninja -C $(BUILD) apps
	python3 examples/demo.py --firma $(BUILD)/src/cli/firma --apps $(BUILD)/tests/apps

criu:
	tools/criu.sh $(BUILD)/criu

dmtcp:
	tools/dmtcp.sh $(BUILD)/dmtcp

cluster:
	tools/cluster.sh $(BUILD)/cluster

docs/accuracy.svg: docs/accuracy.csv tools/accuracy.py
	tools/accuracy.py docs/accuracy.csv > $@.part && mv $@.part $@

install: all
	meson install -C $(BUILD) --no-rebuild

clean:
	rm -rf $(BUILD) $(SANITIZED)

needs-build needs-check needs-demo: needs-%:
	@tools/dependencies.sh $*

# Arguments: folder, options. Meson caches its lookups, so after an installation it must look again.
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
