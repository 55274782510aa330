# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of the examples share: each begins with `. "$(dirname "$0")/../begin.sh"`.
#
#     sh examples/NAME/run.sh [FOLDER]      FOLDER: for the results; by default a temporary one
#     FIRMA=build/src/cli/firma sh examples/NAME/run.sh       another firma than that on PATH
#
# expected.txt holds what a script prints on standard output. Numbers differ from machine to
# machine; a line `…` stands for any lines.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tool=$(realpath "$(command -v "${FIRMA:-firma}")")
results=${1:-$(mktemp -d)}
mkdir -p "$results"
cd "$results"
results=$PWD

firma() {
    "$tool" "$@"
}

# Prints a command, and runs it.
run() {
    echo "\$ $*"
    "$@"
    echo
}

finish() {
    echo "The results are in $results"
}
