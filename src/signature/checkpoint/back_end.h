/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program that saves and restores processes has to do for checkpoint.h. Private to checkpoint/. */
#pragma once

#include "signature/checkpoint/checkpoint.h"
#include "signature/checkpoint/job.h"

/* Called while the job stands still, just before it goes on or ends. */
typedef bool BackEndFrozen(void *self, Err *err);

typedef struct BackEnd {
    const char *name;
    const char *demands;  /* what it asks of the program's transports, for people; NULL: nothing */
    bool virtual_ids;     /* the job's processes have other ids outside than they know, and others when restored */
    bool saves_shared;    /* what processes share in /dev/shm is in the images */
    bool needs_directory; /* while the job runs: then its images appear to the restored job in images/ of it */
    bool (*find)(Arena *arena, CheckpointTool *tool, Err *err);

    /* The words before the launcher of that MPI (NONE: of any), NULL ends; `directory` is empty, or NULL if none is
     * needed. */
    bool (*prepare)(const CheckpointTool *tool, MpiFlavour flavour, const char *directory, Arena *arena,
                    const char *const **words, Err *err);

    /* Writes the job into the empty directory `part`/images. False: the job runs on. */
    bool (*save)(const CheckpointTool *tool, const CheckpointSave *save, const char *part, BackEndFrozen *frozen,
                 void *self, Arena *arena, Err *err);

    /* Called by the room's first process, which becomes the parent of what is restored; `work` is an empty directory
     * that goes away with the room. `ids`: the numbers of the job's processes, as they are now. */
    bool (*restore)(const CheckpointTool *tool, const char *images, const char *work, const Job *job, pid_t ids[],
                    Arena *arena, Err *err);
} BackEnd;

extern const BackEnd back_end_criu, back_end_dmtcp;
