/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a launcher's command came to nothing: the launcher could not start the program, or the
 * program left no record. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/launch.h"

enum { COMPLAINT_ROOM = 300 };

/* A launcher's words that it cannot start the program, found among the lines of a command's
 * output. */
typedef struct LauncherComplaint {
    char text[COMPLAINT_ROOM];      /* its first sentence; "": the launcher has said nothing of the kind */
    const char *advice;             /* what the user can do */
    char last_line[COMPLAINT_ROOM]; /* of the program */
    bool is_open;                   /* the sentence goes on in the next line */
    bool is_framed, is_last_frame;  /* lines are the launcher's */
} LauncherComplaint;

/* Lines come in their order, each without its newline. */
void launcher_complaint_hear(LauncherComplaint *complaint, const char *line);

/* All lines of a file. */
void launcher_complaint_read(LauncherComplaint *complaint, const char *path);

/* Why the command failed, which ended with a status above 0. ERR_ENVIRONMENT: the launcher could
 * not start the program. ERR_NEGATIVE: the program failed. Returns false. */
bool launcher_complaint_explain(const LauncherComplaint *complaint, char *const argv[], int status, Arena *arena,
                                Err *err);

/* Why a launch left no record. */
typedef enum LaunchSilence {
    LAUNCH_RECORDED,
    LAUNCH_INTERRUPTED,
    LAUNCH_NOT_STARTED, /* the launcher could not start the program */
    LAUNCH_FAILED,      /* the program failed before MPI_Init returned */
    LAUNCH_WITHOUT_MPI, /* the program ended well, and made no MPI call */
    LAUNCH_UNRECORDABLE /* the recorder wasn't loaded, or could not write */
} LaunchSilence;

/* After the launch has ended, and before launch_free(). Sets *err unless the result is
 * LAUNCH_RECORDED. */
LaunchSilence launch_explain_silence(const Launch *launch, Arena *arena, Err *err);

/* Removes what a launch without records has left: the recording, and the file of the program's
 * output. Returns whether the output is kept, because the program itself printed something. */
bool launch_remove_files(const Launch *launch, LaunchSilence silence, Arena *arena);
