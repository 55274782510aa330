/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost: run time from source code, without running it. */
#include "verbs/cost/cost.h"

const Verb verb_cost = {
    .name = "cost",
    .question = QUESTION_SOURCE,
    .summary = "predict run times from source code, without running it",
    .synopsis = "check|model|predict|run …",
    .description = "A flow file (docs/PASL.md) describes an application as batches of tasks. For each batch it "
                   "names the source, the entry function, the number of tasks, their data, and the batches that "
                   "must end first.",
    .examples = "firma cost check app.pasl                   # is the flow file sound, and what does it say?\n"
                "firma cost model app.pasl --batch points    # the model of a batch's tasks\n"
                "firma cost predict app.pasl -m machine.json --workers 1,2,4      # on this machine\n"
                "firma cost run app.pasl --workers 1,2 -o results.json            # run it for real",
    .words = VERB_WORDS(&cost_check, &cost_model, &cost_predict, &cost_run),
};
