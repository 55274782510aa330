#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How long will it take, before it runs at all? pi.pasl describes an application of 100 tasks, whose
# source is pi.c. firma reads the source, measures what operations cost here, and predicts an
# interval.
. "$(dirname "$0")/../begin.sh"

run firma cost check "$here/pi.pasl"
run firma cost model "$here/pi.pasl"
run firma machine cpu --languages c -t 10s -o machine.json
run firma cost predict "$here/pi.pasl" -m machine.json --workers 1,2,4 --no-messages

# A short run of a few tasks fixes the scale of the prediction. Then the whole application runs, to
# compare.
run firma cost run "$here/pi.pasl" -m machine.json --set N=10^8 --calibrate -o calibration.json
run firma cost run "$here/pi.pasl" --set N=10^8 --workers 1,2 -o runs.json
run firma cost predict "$here/pi.pasl" -m machine.json --set N=10^8 --workers 1,2 --no-messages \
    --calibration calibration.json --measured runs.json
finish
