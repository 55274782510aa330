/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of launchers that can't start a program: Open MPI's mpirun (4.1, 5.0), MPICH's Hydra,
 * Slurm's srun. Their exit status is the same as that of a program that failed. */
#include "trace/launch_failure.h"

#include <stdio.h>
#include <string.h>

/* A message begins in the line that contains these words. */
static const struct {
    const char *words, *advice;
} known[] = {
    {"execvp error on file", "check the program's name and its permissions"},
    {"unable to find the specified executable", "check the program's name"},
    {"could not access or execute an executable", "check the program's name and its permissions"},
    {"unable to launch the specified application", "check the program's name and its permissions"},
    {"not enough slots available", "start fewer processes, or add --oversubscribe behind the launcher's name"},
    {"attempt to run as root", "add --allow-run-as-root behind the launcher's name"},
    {"has detected that you are running as root", "add --allow-run-as-root behind the launcher's name"},
    {"No executable was specified", "put the program behind the launcher's options"},
    {"Error: unknown option", "check the launcher's options"},
    {"unrecognized argument", "check the launcher's options"},
    {"Could not resolve hostname", "check the names of the hosts"},
    {"unable to reliably start one or more daemons", "check that the hosts can be reached"},
    {"execve():", "check the program's name and its permissions"},
    {"srun: error: Unable to", "ask Slurm for fewer nodes or processes"},
    {"Requested node configuration is not available", "ask Slurm for fewer nodes or processes"},
};

/* The line behind Hydra's "[proxy:0:0@host] function (file:line): ". */
static const char *without_place(const char *line)
{
    const char *end = line[0] == '[' ? strstr(line, "): ") : NULL;
    return end ? end + strlen("): ") : line + strspn(line, " \t");
}

static bool ends_sentence(char last)
{
    return last == '.' || last == ':';
}

/* True for a frame's line. Open MPI frames its messages by lines of 74 dashes. MPICH's message
 * begins with a line of "=" and reaches to the end of the output. */
static bool is_frame(const char *line, char letter, size_t least)
{
    char letters[] = {letter, '\0'};
    size_t length = strspn(line, letters);
    return length >= least && !line[length];
}

static bool is_launchers(LauncherComplaint *complaint, const char *line)
{
    enum { OPENMPI_FRAME = 74, MPICH_FRAME = 80 };
    if (is_frame(line, '=', MPICH_FRAME))
        complaint->is_last_frame = true;
    else if (is_frame(line, '-', OPENMPI_FRAME))
        complaint->is_framed = !complaint->is_framed;
    else
        return complaint->is_framed || complaint->is_last_frame;
    return true;
}

/* Appends a line of the message, up to the end of the message's first sentence. Only framed
 * sentences have several lines. */
static void append(LauncherComplaint *complaint, const char *line)
{
    size_t used = strlen(complaint->text);
    const char *stop = strstr(line, ". ");
    int length = stop ? (int)(stop - line) : (int)strlen(line);
    snprintf(complaint->text + used, sizeof complaint->text - used, "%s%.*s", used ? " " : "", length, line);
    used = strlen(complaint->text);
    char last = used ? complaint->text[used - 1] : '\0';
    bool is_whole = stop || ends_sentence(last) || last == '"';
    if (ends_sentence(last))
        complaint->text[used - 1] = '\0';
    complaint->is_open = complaint->is_framed && !is_whole;
}

static void note_framed(LauncherComplaint *complaint, const char *line)
{
    size_t used = strlen(complaint->framed);
    if (!complaint->is_framed || strchr("-", *line)) /* an empty line, or the frame's own */
        complaint->is_paragraph_over = used > 0;
    else if (!complaint->is_paragraph_over)
        snprintf(complaint->framed + used, sizeof complaint->framed - used, "%s%s", used ? " " : "",
                 line + strspn(line, " \t"));
}

void launcher_complaint_hear(LauncherComplaint *complaint, const char *line)
{
    if (!is_launchers(complaint, line) && line[strspn(line, " \t")])
        snprintf(complaint->last_line, sizeof complaint->last_line, "%s", line);
    note_framed(complaint, line);
    if (complaint->is_open) {
        if (*line && !strchr("-=*[", *line))
            append(complaint, line + strspn(line, " \t"));
        else
            complaint->is_open = false;
        return;
    }
    for (size_t i = 0; !*complaint->text && i < sizeof known / sizeof *known; i++)
        if (strstr(line, known[i].words)) {
            complaint->advice = known[i].advice;
            append(complaint, without_place(line));
        }
}

void launcher_complaint_read(LauncherComplaint *complaint, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        launcher_complaint_hear(complaint, line);
    }
    if (file)
        fclose(file);
}
