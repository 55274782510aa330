#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tries 10^7 inputs of fuzzers. Then runs `make check` again and again, and keeps the whole output of each run that fails.
#
#   tools/soak.sh [RUNS [LOADS [FOLDER]]]
#
# FIRMA_FUZZ_SEED is the seed of the fuzzers; by default each day has another one. An input that fails is kept as
# FOLDER/fuzz-READER.failed; it belongs into tests/fuzz/corpus.
#
# With LOADS above 0, LOADS busy processes compute beside each run, and another process allocates and frees memory. FOLDER
# (soak) gets RUN.log of each run that failed. The last line gives the number of failures. The tests take all combinations,
# also those that `make check` leaves out (FIRMA_SOAK=1, see tests/e2e/harness.py).
set -u
export FIRMA_SOAK=1
runs=${1:-10} loads=${2:-0} folder=${3:-soak}
mkdir -p "$folder"
pids=

end_load() {
    [ -z "$pids" ] || kill $pids 2>/dev/null
    pids=
}
trap end_load EXIT
trap 'exit 130' INT TERM

begin_load() {
    [ "$loads" -gt 0 ] || return 0
    for _ in $(seq "$loads"); do
        sh -c 'while :; do :; done' &
        pids="$pids $!"
    done
    python3 -c 'while True: bytearray(b"x" * (1 << 29))' &
    pids="$pids $!"
}

failed=0

# Arguments: fuzzer, number of inputs.
fuzz() {
    log=$folder/$1.log
    start=$(date +%s)
    if (cd "$folder" && FIRMA_FUZZ_INPUTS=$2 "$root/build/tests/fuzz/$1" >"$1.log" 2>&1); then
        verdict=passed
    else
        verdict="failed: see $log" failed=$((failed + 1))
    fi
    echo "$1: $2 inputs in $(($(date +%s) - start)) s, seed $FIRMA_FUZZ_SEED; $verdict"
    [ "$verdict" = passed ] && rm "$log"
}

root=$PWD
export FUZZ_CORPUS="$root/tests/fuzz/corpus" FIRMA_FUZZ_SEED="${FIRMA_FUZZ_SEED:-$(date +%Y%m%d)}"
make && ninja -C build tests/fuzz/languages_fuzz tests/fuzz/expr_fuzz tests/fuzz/documents_fuzz tests/fuzz/archive_fuzz || exit 1
fuzz languages_fuzz 5000000
fuzz expr_fuzz 2000000
fuzz documents_fuzz 2500000
fuzz archive_fuzz 500000
unset FIRMA_FUZZ_SEED

for run in $(seq "$runs"); do
    log=$folder/$run.log
    begin_load
    if make check >"$log" 2>&1; then verdict=passed; else verdict="failed: see $log" failed=$((failed + 1)); fi
    end_load
    echo "run $run: $(tail -n 1 "$log"); $verdict"
    [ "$verdict" = passed ] && rm "$log"
done
echo "4 fuzzers and $runs runs, $failed failed"
[ "$failed" -eq 0 ]
