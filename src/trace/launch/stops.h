/* SPDX-License-Identifier: BSD-3-Clause */
/* The stops of a launch: its StopsFile. Private to trace/. */
#pragma once

#include "trace/launch/state.h"

/* Makes and maps the file. ERR_INPUT: none or too many, or counts that go back. */
bool launch_make_stops(Launch *launch, const LaunchStops *stops, Err *err);

/* Maps that of an earlier launch, if there is one. */
bool launch_map_stops(Launch *launch, Err *err);
