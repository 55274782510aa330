/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: what the run of a restored state says of its window. */
#ifndef FIRMA_SIGNATURE_EXECUTE_STATE_H
#define FIRMA_SIGNATURE_EXECUTE_STATE_H

#include "signature/execute/spread.h"
#include "signature/execute/windows.h"

/* As state_evaluate, of a run that is already analysed. */
bool state_evaluate_run(const Signature *signature, const SpreadWindow *window, uint32_t state, const ExecutedRun *run,
                        Arena *arena, PhaseTimes *times, Err *err);

#endif
