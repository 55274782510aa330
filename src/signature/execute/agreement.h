/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to signature/: is what was executed the signature's communication, and in the signature's order? */
#ifndef FIRMA_SIGNATURE_EXECUTE_AGREEMENT_H
#define FIRMA_SIGNATURE_EXECUTE_AGREEMENT_H

#include "signature/execute/cuts.h"

/* Fills agreement, of the occurrences between two milestones, and event_agreement of *times. Where the order varies
 * from run to run, milestones are found by events from here on. ERR_INPUT: the communication is another program's. */
bool agreement_judge(Cuts *cuts, uint32_t from_milestone, uint32_t to_milestone, PhaseTimes *times, Err *err);

/* Below this share of common phases the order varies from run to run: then phases are mixed up too much to be timed,
 * and who was slow in which of them is chance. */
#define AGREEMENT_NEEDED 0.9

#endif
