/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program that saves and restores processes must provide for checkpoint.h. Private to
 * checkpoint/. */
#pragma once

#include "signature/checkpoint/checkpoint.h"
#include "signature/checkpoint/job.h"

/* Called while the job stands still, just before it goes on or ends. False: saving failed. */
typedef bool BackEndFrozen(void *self, Err *err);

typedef struct BackEnd {
    const char *name;
    const char *demands;  /* its requirements on the program's transports, to be printed; NULL:
                             none */
    bool virtual_ids;     /* the job's processes have other ids than they see, and get new ones
                             when restored */
    bool saves_shared;    /* the images contain the segments in /dev/shm that processes share */
    bool needs_directory; /* needs a directory while the job runs; the restored job finds its
                             images there, in images/ */
    bool (*find)(Arena *arena, CheckpointTool *tool, Err *err);

    /* The words before the launcher of this MPI (NONE: of any), ended by NULL. `directory` is
     * empty; NULL if the back end needs none. */
    bool (*prepare)(const CheckpointTool *tool, MpiFlavour flavour, const char *directory, Arena *arena,
                    const char *const **words, Err *err);

    /* Writes the job into the empty directory `part`/images. False: the job was not saved, and goes
     * on. */
    bool (*save)(const CheckpointTool *tool, const CheckpointSave *save, const char *part, BackEndFrozen *frozen,
                 void *self, Arena *arena, Err *err);

    /* Called by the room's first process, which becomes the parent of the restored processes.
     * `work` is an empty directory that disappears with the room. Fills in ids[], the ids that the
     * job's processes have now. */
    bool (*restore)(const CheckpointTool *tool, const char *images, const char *work, const Job *job, pid_t ids[],
                    Arena *arena, Err *err);
} BackEnd;

extern const BackEnd back_end_criu, back_end_dmtcp;
