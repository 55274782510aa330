/* SPDX-License-Identifier: BSD-3-Clause */
/* From the archive of a restored state's run to its phase times. */
#include "signature/execute/executed.h"
#include "signature/execute/state.h"
#include "signature/order/order.h"

bool state_evaluate(const Signature *signature, const SpreadWindow *window, uint32_t state, const char *archive,
                    const Progress *progress, Arena *arena, PhaseTimes *times, Err *err)
{
    Executed executed;
    const Milestone *milestones = signature->milestones;
    if (!phase_similarity_exists(signature->parameters.similarity) || !order_exists(signature->parameters.order))
        return err_set(err, ERR_INPUT, "the signature was made with order `%s`, similarity `%s`: this firma lacks one",
                       signature->parameters.order, signature->parameters.similarity);
    PhaseTimes result = *times;
    bool ok = executed_read(signature, archive, milestones[window->stop].occurrence, milestones[window->end].occurrence,
                            progress, arena, &executed, err) &&
              state_evaluate_run(signature, window, state, &executed.run, arena, &result, err);
    executed_free(&executed);
    if (ok)
        *times = result;
    return ok;
}
