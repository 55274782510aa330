/* SPDX-License-Identifier: BSD-3-Clause */
/* See local.h. A process ends by MPI_Finalize, MPI_Abort, exit, or by a signal. If one process fails,
 * launchers first ask the others to end by SIGTERM. So that this loses no records, signals that would
 * end the process are caught, if the program doesn't catch them itself. They end it afterwards. */
#include "trace/recorder/local.h"

#include "trace/gathering.h"
#include "trace/recorder/process.h"
#include "trace/recorder/recorder.h"

static char directory[GATHERING_PATH_BYTES];
static pid_t self; /* 0: there is no directory, or its records are moved */

static const int endings[] = {SIGTERM, SIGINT, SIGHUP};

static void end_by_signal(int number)
{
    local_end();
    raise(number); /* its action is the default one again */
}

static void catch_endings(void)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct sigaction action;
        if (sigaction(endings[i], NULL, &action) != 0 || action.sa_handler != SIG_DFL)
            continue;
        action = (struct sigaction){.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND};
        sigaction(endings[i], &action, NULL);
    }
}

/* Makes the directory, unless another process of the job has done so. Returns 0 or an errno. */
static int make_directory(void)
{
    struct stat there;
    if (mkdir(directory, 0700) == 0)
        return 0;
    if (errno != EEXIST || lstat(directory, &there) != 0)
        return errno;
    return S_ISDIR(there.st_mode) && there.st_uid == geteuid() ? 0 : EEXIST;
}

int local_begin(const ControlFile *control)
{
    if (!control->local[0])
        return 0;
    gathering_directory(control->local, directory);
    process_keep_records_in(directory);
    const int error = make_directory();
    if (error)
        return error;
    self = getpid();
    catch_endings();
    return 0;
}

void local_end(void)
{
    const int saved = errno;
    const pid_t owner = self;
    if (!owner || getpid() != owner) /* a forked child has no records */
        return;
    self = 0;
    const int error = gathering_collect(directory, process_directory(), process_host(), owner);
    if (error)
        recorder_say("could not move the records to", process_directory(), error);
    errno = saved;
}

__attribute__((destructor)) static void end_by_exit(void)
{
    local_end();
}
