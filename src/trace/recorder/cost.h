/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what recording costs on this machine, so that predictions can leave it out. */
#pragma once

/* Stores ProcessFile.call_cost_ns and sample_cost_ns. Takes about a millisecond. To be called in
 * MPI_Init while recording is on. Nothing is recorded. */
void cost_measure(void);
