/* SPDX-License-Identifier: BSD-3-Clause */
/* Capabilities without root (privileges.h). The process that makes a user namespace has all
 * capabilities over what belongs to the namespace: processes started in it, and other namespaces
 * made in it. A job's sockets belong to its network namespace. So they can be saved only if this
 * namespace belongs to the user namespace, too.
 *
 *    user: firma, with all capabilities
 *      ├─ network: the host's addresses on lo ─┬─ launcher, ranks: no capabilities
 *      │                                       └─ saving back end: all capabilities
 *      └─ processes, mounts, network: a room ─── restoring back end, job
 *
 * The user's number stays the same: launchers, files and the job see no difference. */
#include "signature/checkpoint/privileges.h"

#include "signature/checkpoint/network.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_in_namespace;

typedef struct Capabilities {
    struct __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3];
} Capabilities;

static bool read_capabilities(Capabilities *capabilities)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    return syscall(SYS_capget, &header, capabilities->words) == 0;
}

static bool write_capabilities(const Capabilities *capabilities)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    return syscall(SYS_capset, &header, capabilities->words) == 0;
}

static bool privileges_are_held(void)
{
    Capabilities held;
    return read_capabilities(&held) && held.words[CAP_SYS_ADMIN / 32].effective & 1u << CAP_SYS_ADMIN % 32;
}

bool privileges_are_of_namespace(void)
{
    return is_in_namespace;
}

/* A program gets the ambient capabilities, which must be inheritable, too. CRIU doesn't get
 * CAP_SETUID: with it, CRIU would become user 0, who doesn't exist in this namespace. */
void privileges_pass_on(bool pass)
{
    Capabilities held;
    if (!is_in_namespace || !read_capabilities(&held))
        return;
    for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        held.words[i].inheritable = pass ? held.words[i].permitted : 0;
    held.words[CAP_SETUID / 32].inheritable &= ~(1u << CAP_SETUID % 32);
    if (!write_capabilities(&held)) /* capabilities that aren't inheritable aren't ambient,
                                       either */
        return;
    for (unsigned long i = 0; pass && prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, i, 0, 0);
}

/* ---- The namespace ---- */

static bool write_line(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool ok = write(file, text, strlen(text)) == (ssize_t)strlen(text);
    int failure = errno;
    close(file);
    errno = failure;
    return ok;
}

bool privileges_keep_user(uid_t user, gid_t group)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", user, user);
    snprintf(groups, sizeof groups, "%u %u 1", group, group);
    return write_line("/proc/self/uid_map", users) && write_line("/proc/self/setgroups", "deny") &&
           write_line("/proc/self/gid_map", groups);
}

bool privileges_mount_terminals(void)
{
    return mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620") == 0 &&
           mount("/dev/pts/ptmx", "/dev/ptmx", NULL, MS_BIND, NULL) == 0;
}

static bool read_number(const char *path, long *number)
{
    FILE *file = fopen(path, "r");
    bool known = file && fscanf(file, "%ld", number) == 1;
    if (file)
        fclose(file);
    return known;
}

/* Reports the setting of the host that forbids user namespaces, if there is one. */
static bool refuse(int failure, Err *err)
{
    static const struct {
        const char *path;
        long forbids;
        const char *allow;
    } settings[] = {
        {"/proc/sys/kernel/unprivileged_userns_clone", 0, "kernel.unprivileged_userns_clone=1"},
        {"/proc/sys/user/max_user_namespaces", 0, "user.max_user_namespaces=10000"},
        {"/proc/sys/user/max_net_namespaces", 0, "user.max_net_namespaces=10000"},
        {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1, "kernel.apparmor_restrict_unprivileged_userns=0"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        long number;
        if (!read_number(settings[i].path, &number) || number != settings[i].forbids)
            continue;
        err_set(err, ERR_ENVIRONMENT,
                "without root, firma saves jobs in a user namespace, and this host forbids these: %s is %ld",
                settings[i].path, number);
        return err_hint(err, "as root: sysctl -w %s; or run firma as root", settings[i].allow);
    }
    err_set(err, ERR_ENVIRONMENT, "without root, firma saves jobs in a user namespace, and cannot make one here: %s",
            strerror(failure));
    return err_hint(err, "containers often forbid user namespaces; run firma as root");
}

/* Mounts terminals of this namespace. The host's terminals belong to its root, who isn't in the
 * namespace. So the ownership of a job's terminals couldn't be restored. */
static bool own_terminals(Err *err)
{
    return (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && privileges_mount_terminals()) ||
           err_set(err, ERR_ENVIRONMENT, "cannot mount terminals for the job: /dev/pts: %s", strerror(errno));
}

bool privileges_get(Arena *arena, Err *err)
{
    if (privileges_are_held())
        return true;
    uid_t user = geteuid();
    gid_t group = getegid();
    NetworkAddresses addresses = {0};
    network_addresses(arena, &addresses);
    is_in_namespace = unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) == 0 && privileges_keep_user(user, group);
    bool ok = is_in_namespace ? own_terminals(err) && network_make_loopback(&addresses, err) : refuse(errno, err);
    vec_free(&addresses);
    return ok;
}
