/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains a launch that left no record: by its exit status, by the recorder's notices in the
 * control file, and by the launcher's output. */
#include "trace/launch_failure.h"

#include "base/files.h"
#include "base/process.h"
#include "trace/archive_names.h"
#include "trace/launch/executable.h"
#include "trace/launch/program.h"
#include "trace/launch/state.h"
#include "trace/ownership.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A process that is killed while its file is made leaves it empty. */
static bool is_empty(int directory, const char *name)
{
    struct stat found;
    return fstatat(directory, name, &found, 0) == 0 && S_ISREG(found.st_mode) && !found.st_size;
}

/* A recording that can't be read counts as one with records: its reader then says the reason. */
static bool may_hold_records(const char *recording)
{
    DIR *directory = opendir(recording);
    bool found = !directory && errno != ENOENT;
    for (struct dirent *entry; directory && !found && (entry = readdir(directory));)
        found = files_has_suffix(entry->d_name, ".process") && !is_empty(dirfd(directory), entry->d_name);
    if (directory)
        closedir(directory);
    return found;
}

static const char *program_word(char *const argv[], Arena *arena)
{
    int program = launch_find_program(argv, arena);
    return program >= 0 ? argv[program] : launch_find_launcher(argv, arena) >= 0 ? "the program" : argv[0];
}

static const char *launcher_word(char *const argv[], Arena *arena)
{
    int launcher = launch_find_launcher(argv, arena);
    return argv[launcher < 0 ? 0 : launcher];
}

/* The reason why no launcher could start the program, or NULL. */
static const char *program_problem(char *const argv[], Arena *arena)
{
    int program = launch_find_program(argv, arena);
    if (program < 0 || launch_find_executable(argv[program], arena))
        return NULL;
    return strerror(files_exist(argv[program]) ? EACCES : ENOENT);
}

static bool explain_not_started(const LauncherComplaint *complaint, char *const argv[], int status, Arena *arena,
                                Err *err)
{
    const char *launcher = launcher_word(argv, arena), *program = program_word(argv, arena);
    const char *problem = program_problem(argv, arena);
    if (problem && complaint->text[0])
        err_set(err, ERR_ENVIRONMENT, "%s did not start %s: %s; the launcher says: %s", launcher, program, problem,
                complaint->text);
    else if (problem || complaint->text[0])
        err_set(err, ERR_ENVIRONMENT, "%s did not start %s: %s", launcher, program,
                problem ? problem : complaint->text);
    if (problem || complaint->text[0])
        return err_hint(err, "%s", problem ? "check the program's name and its permissions" : complaint->advice);
    const char *said = complaint->framed[0] ? complaint->framed : complaint->last_line;
    err_set(err, ERR_ENVIRONMENT, "%s ended with status %s and started no process of %s%s%s", launcher,
            process_status_text(status, arena), program,
            complaint->framed[0] ? "; it says: "
            : said[0]            ? "; its last words: "
                                 : "",
            said);
    return said[0] ? false : err_hint(err, "see the launcher's own message above");
}

bool launcher_complaint_explain(const LauncherComplaint *complaint, char *const argv[], int status, Arena *arena,
                                Err *err)
{
    if (complaint->text[0])
        return explain_not_started(complaint, argv, status, arena, err);
    return err_set(err, ERR_NEGATIVE, "%s failed with status %s%s%s", program_word(argv, arena),
                   process_status_text(status, arena), complaint->last_line[0] ? "; its last words: " : "",
                   complaint->last_line);
}

static const char *first_call(const Launch *launch)
{
    return launch->flavour == MPI_FLAVOUR_PVM ? PVM_FIRST_CALL : "MPI_Init";
}

static bool explain_failure(const Launch *launch, const LauncherComplaint *complaint, Arena *arena, Err *err)
{
    const char *said = complaint->last_line;
    return err_set(err, ERR_NEGATIVE, "%s failed with status %s before %s returned%s%s",
                   program_word(launch->argv, arena), process_status_text(launch_status(launch), arena),
                   first_call(launch), *said ? "; its last words: " : "", said);
}

static LaunchSilence explain_success(const Launch *launch, bool began, Arena *arena, Err *err)
{
    const char *program = program_word(launch->argv, arena);
    if (launch->flavour == MPI_FLAVOUR_SMPI) {
        err_set(err, ERR_ENVIRONMENT, "no process of %s left a record", program);
        err_hint(err, "link the program with libfirma-smpi.a: see `firma help trace`");
        return LAUNCH_UNRECORDABLE;
    }
    const char *path = launch_find_executable(program, arena);
    if (launch->flavour == MPI_FLAVOUR_PVM) {
        const bool is_static = path && executable_static_pvm(path, arena) == STATIC_PVM_ALONE;
        err_set(err, ERR_ENVIRONMENT,
                is_static ? "%s holds PVM's static library, so firma's recorder can't be loaded into it"
                          : "%s made no calls of PVM that firma records",
                program);
        err_hint(err, is_static ? LAUNCH_STATIC_PVM_HINT
                                : "the program must be linked with libpvm3.so, or with firma-pvm.o");
        return is_static ? LAUNCH_UNRECORDABLE : LAUNCH_WITHOUT_MPI;
    }
    switch (path ? executable_linkage(path, arena) : LINKAGE_SCRIPT) {
    case LINKAGE_WITHOUT_MPI:
        err_set(err, ERR_ENVIRONMENT, "%s made no MPI calls: it is not linked with an MPI library", program);
        err_hint(err, LAUNCH_WITHOUT_MPI_HINT);
        return LAUNCH_WITHOUT_MPI;
    case LINKAGE_SCRIPT:
        err_set(err, ERR_ENVIRONMENT, "%s made no MPI calls: it ended without starting an MPI program", program);
        err_hint(err, LAUNCH_WITHOUT_MPI_HINT);
        return LAUNCH_WITHOUT_MPI;
    case LINKAGE_STATIC:
        err_set(err, ERR_ENVIRONMENT, "%s is linked statically, so firma's recorder cannot be loaded into it", program);
        return LAUNCH_UNRECORDABLE;
    case LINKAGE_MPI:
        break;
    }
    if (began) {
        err_set(err, ERR_ENVIRONMENT, "%s made no MPI calls that firma records: it ended without calling MPI_Init",
                program);
        err_hint(err, "firma records programs that start MPI by MPI_Init or MPI_Init_thread");
        return LAUNCH_WITHOUT_MPI;
    }
    err_set(err, ERR_ENVIRONMENT, "no process of %s has loaded firma's recorder", program);
    err_hint(err,
             "the launcher must pass LD_PRELOAD to its processes; `firma doctor` checks whether tracing works here");
    return LAUNCH_UNRECORDABLE;
}

LaunchSilence launch_explain_silence(const Launch *launch, Arena *arena, Err *err)
{
    LauncherComplaint complaint = {0};
    int error = launch->control->record_errno;
    bool began = launch->control->ranks_began || launch_find_launcher(launch->argv, arena) < 0;
    if (may_hold_records(launch->recording))
        return LAUNCH_RECORDED;
    if (launch_interrupted(launch)) {
        err_set(err, ERR_NEGATIVE, "interrupted (%s) before %s returned; nothing was recorded",
                strsignal(launch_interrupted(launch)), first_call(launch));
        return LAUNCH_INTERRUPTED;
    }
    if (error) {
        err_set(err, ERR_ENVIRONMENT, "%s: the program ran, but nothing could be recorded: %s", launch->recording,
                strerror(error));
        err_hint(err, error == ENOSPC ? "free space on this disk, or choose a place on another disk with -o"
                                      : "choose another place with -o");
        return LAUNCH_UNRECORDABLE;
    }
    if (launch->output_path)
        launcher_complaint_read(&complaint, launch->output_path);
    if (launch_status(launch) == 0)
        return explain_success(launch, began, arena, err);
    if (complaint.text[0] || !began) {
        explain_not_started(&complaint, launch->argv, launch_status(launch), arena, err);
        return LAUNCH_NOT_STARTED;
    }
    explain_failure(launch, &complaint, arena, err);
    return LAUNCH_FAILED;
}

bool launch_remove_files(const Launch *launch, LaunchSilence silence, Arena *arena)
{
    Err problem;
    struct stat status;
    recording_remove(launch->recording, arena, &problem);
    if (!launch->output_path || stat(launch->output_path, &status) != 0)
        return false;
    if (silence != LAUNCH_NOT_STARTED && status.st_size > 0)
        return true;
    unlink(launch->output_path);
    return false;
}
