# SPDX-License-Identifier: BSD-3-Clause
# A thin front over Meson: installs what is missing (Debian packages; asks for sudo only then), configures, builds, runs.
#   make            builds into build/
#   make check      all tests (those of checkpoints if `make criu` comes to something); those without MPI once more under AddressSanitizer and UBSan; last line: N passed, N failed
#   make demo       a real program and one of ours: predicted, run in full, compared; results in demo/
#   make criu       gets CRIU, which saves and restores jobs for firma, into build/criu; the system stays as it is
#   make dmtcp      builds DMTCP, which does so without root, in build/dmtcp; takes some minutes
#   make install    to the prefix that Meson was configured with (SETUP='--prefix=$HOME/.local')
#   make clean      removes the build folders
# SETUP: further options for `meson setup`, when a build folder is made.
BUILD = build
SANITIZED = build-sanitized
SETUP =

.PHONY: all check criu dmtcp demo install clean needs-build needs-check needs-demo

all: needs-build $(BUILD)/build.ninja
	ninja -C $(BUILD)

check: needs-check $(BUILD)/build.ninja $(SANITIZED)/build.ninja
	ninja -C $(BUILD)
	-timeout 60 tools/criu.sh $(BUILD)/criu
	python3 tools/check.py $(BUILD) $(SANITIZED):-e2e

demo: needs-demo all
	python3 examples/demo.py --firma $(BUILD)/src/cli/firma --apps $(BUILD)/tests/apps

criu:
	tools/criu.sh $(BUILD)/criu

dmtcp:
	tools/dmtcp.sh $(BUILD)/dmtcp

install: all
	$(if $(SETUP),meson configure $(SETUP) $(BUILD))
	meson install -C $(BUILD)

clean:
	rm -rf $(BUILD) $(SANITIZED)

needs-build needs-check needs-demo: needs-%:
	@tools/dependencies.sh $*

$(BUILD)/build.ninja: | needs-build
	meson setup $(SETUP) $(BUILD)

$(SANITIZED)/build.ninja: | needs-check
	meson setup $(SETUP) --buildtype=debug -Db_sanitize=address,undefined -Db_lundef=false $(SANITIZED)
