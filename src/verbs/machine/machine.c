/* SPDX-License-Identifier: BSD-3-Clause */
/* firma machine: shows a machine model, exports it to other tools, and measures its costs of
 * operations and its noise. */
#include "verbs/machine/words.h"

const Verb verb_machine = {
    .name = "machine",
    .question = QUESTION_MESSAGES,
    .summary = "show or export a machine model, and measure operations for it",
    .synopsis = "show|export|cpu|noise …",
    .description = "A machine model says what messages and collectives cost on a machine. `firma comm` writes it, "
                   "as machine.json. `firma machine cpu` adds what operations cost, and `firma machine noise` how "
                   "much the time of the same work differs.",
    .examples = "firma machine show machine.json\n"
                "firma machine export machine.json --to simgrid -c 'openmpi tcp' -o simulated\n"
                "firma machine cpu -o machine.json           # what operations cost here\n"
                "firma machine noise --into machine.json     # how noisy it is",
    .words = VERB_WORDS(&machine_show, &machine_export, &machine_cpu, &machine_noise),
};
