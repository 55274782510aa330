/* SPDX-License-Identifier: BSD-3-Clause */
/* The stops of a launch: its StopsFile. Private to trace/. */
#pragma once

#include "trace/launch/state.h"

/* Creates and maps the file. ERR_INPUT: no stops, too many stops, or counts that decrease. */
bool launch_make_stops(Launch *launch, const LaunchStops *stops, Err *err);

/* Maps the file of an earlier launch, if it exists. */
bool launch_map_stops(Launch *launch, Err *err);
