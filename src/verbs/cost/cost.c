/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost: run time from source code, without running it. */
#include "verbs/cost/cost.h"

const Verb verb_cost = {
    .name = "cost",
    .question = QUESTION_SOURCE,
    .summary = "predict run times from source code, without running it",
    .synopsis = "check|model|predict|run …",
    .description =
        "An application is described by a flow file (docs/PASL.md): batches of tasks, the source and the entry function "
        "of each, how many tasks there are, what they are given and return, and which batches wait for which.",
    .examples = "firma cost check app.pasl                   # what the flow file says, and whether it's sound\n"
                "firma cost model app.pasl --batch points    # the model of a batch's tasks\n"
                "firma cost predict app.pasl -m machine.json --workers 1,2,4      # on this machine\n"
                "firma cost run app.pasl --workers 1,2 -o results.json            # for real",
    .words = VERB_WORDS(&cost_check, &cost_model, &cost_predict, &cost_run),
};
