#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs `make check` again and again, and keeps the whole output of each run that fails.
#
#   tools/soak.sh [RUNS [LOADS [FOLDER]]]
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
for run in $(seq "$runs"); do
    log=$folder/$run.log
    begin_load
    if make check >"$log" 2>&1; then verdict=passed; else verdict="failed: see $log" failed=$((failed + 1)); fi
    end_load
    echo "run $run: $(tail -n 1 "$log"); $verdict"
    [ "$verdict" = passed ] && rm "$log"
done
echo "$runs runs, $failed failed"
[ "$failed" -eq 0 ]
