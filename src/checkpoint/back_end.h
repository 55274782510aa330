/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program that saves and restores processes has to do for checkpoint.h. Private to checkpoint/. */
#ifndef FIRMA_CHECKPOINT_BACK_END_H
#define FIRMA_CHECKPOINT_BACK_END_H

#include "checkpoint/checkpoint.h"

/* Called while the job stands still, just before it goes on or ends. */
typedef bool BackEndFrozen(void *self, Err *err);

typedef struct BackEnd {
    const char *name;
    const char *const *launch_words; /* NULL ends */
    bool (*find)(Arena *arena, CheckpointTool *tool, Err *err);

    /* Writes the job into the empty directory `part`/images. False: the job runs on. */
    bool (*save)(const CheckpointTool *tool, const CheckpointSave *save, const char *part, BackEndFrozen *frozen,
                 void *self, Arena *arena, Err *err);

    /* Called by the room's first process, which becomes the parent of what is restored; `work` is an empty directory
     * that goes away with the room. */
    bool (*restore)(const CheckpointTool *tool, const char *images, const char *work, Arena *arena, Err *err);
} BackEnd;

extern const BackEnd back_end_criu;

#endif
