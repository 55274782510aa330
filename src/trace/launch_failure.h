/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains why a launcher's command failed: the launcher could not start the program, or the
 * program left no record. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/launch.h"

enum { COMPLAINT_ROOM = 300 };

/* A launcher's message that it can't start the program, found in the output of a command. */
typedef struct LauncherComplaint {
    char text[COMPLAINT_ROOM];      /* first sentence of the message; "": the launcher gave no such message */
    const char *advice;             /* what the user can do */
    char last_line[COMPLAINT_ROOM]; /* of the program's output */
    char framed[COMPLAINT_ROOM];    /* first paragraph of what Open MPI framed */
    bool is_paragraph_over;
    bool is_open;                   /* the sentence continues in the next line */
    bool is_framed, is_last_frame;  /* inside a frame of Open MPI; behind the beginning of MPICH's frame */
} LauncherComplaint;

/* Takes the lines of the output in their order, each without its newline. */
void launcher_complaint_hear(LauncherComplaint *complaint, const char *line);

/* Takes all lines of a file. */
void launcher_complaint_read(LauncherComplaint *complaint, const char *path);

/* Explains why a command ended with a status above 0. ERR_ENVIRONMENT: the launcher could not start
 * the program. ERR_NEGATIVE: the program failed. Returns false. */
bool launcher_complaint_explain(const LauncherComplaint *complaint, char *const argv[], int status, Arena *arena,
                                Err *err);

/* The reason why a launch left no record. */
typedef enum LaunchSilence {
    LAUNCH_RECORDED,
    LAUNCH_INTERRUPTED,
    LAUNCH_NOT_STARTED, /* the launcher could not start the program */
    LAUNCH_FAILED,      /* the program failed before MPI_Init returned */
    LAUNCH_WITHOUT_MPI, /* the program ended well, and made no MPI call */
    LAUNCH_UNRECORDABLE /* the recorder wasn't loaded, or could not write */
} LaunchSilence;

/* To be called after the launch has ended, and before launch_free(). Sets *err unless the result is
 * LAUNCH_RECORDED. */
LaunchSilence launch_explain_silence(const Launch *launch, Arena *arena, Err *err);

/* Removes the files of a launch without records: the recording, and the file with the program's
 * output. Keeps the output if the program itself printed something, and then returns true. */
bool launch_remove_files(const Launch *launch, LaunchSilence silence, Arena *arena);
