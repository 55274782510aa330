/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma show` can show: each view reads what it needs of a trace or a signature, and makes text, JSON or a
 * picture of it. */
#pragma once

#include "cli/cli.h"
#include "cli/values.h"
#include "model/signature.h"
#include "signature/order/order.h"

typedef struct ShowRequest {
    const char *input; /* trace or signature */
    bool is_signature;
    PhaseParameters parameters;
    OrderOptions order;
    Range ticks, ranks, events;
    uint64_t rank, phase;
    uint64_t occurrence; /* of the phase; UINT64_MAX: not given */
    bool receives, messages, all;
    bool wants_picture;
} ShowRequest;

/* What was asked for: the text, or with --json the document; and the picture, a file of SVG. */
typedef struct Shown {
    const char *text;
    json_t *document;
    const char *picture;
} Shown;

bool show_overview(Cli *cli, const ShowRequest *request, Shown *shown, Err *err); /* also of a signature */
bool show_ticks(Cli *cli, const ShowRequest *request, Shown *shown, Err *err);
bool show_blocks(Cli *cli, const ShowRequest *request, Shown *shown, Err *err);
bool show_phase(Cli *cli, const ShowRequest *request, Shown *shown, Err *err); /* also of a signature */
bool show_process(Cli *cli, const ShowRequest *request, Shown *shown, Err *err);
bool show_waits(Cli *cli, const ShowRequest *request, Shown *shown, Err *err);
bool show_matrix(Cli *cli, const ShowRequest *request, Shown *shown, Err *err);
