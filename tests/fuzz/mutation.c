/* SPDX-License-Identifier: BSD-3-Clause */
/* See mutation.h. */
#include "fuzz/mutation.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t random_state;
static bool is_seeded;

static void seed(void)
{
    const char *text = getenv("FIRMA_FUZZ_SEED");
    random_state = text && *text ? strtoull(text, NULL, 10) : 42;
    is_seeded = true;
}

uint32_t random_below(uint32_t limit)
{
    if (!is_seeded)
        seed();
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % limit);
}

size_t mutate(char *text, size_t length, size_t most, const char *interesting, size_t n_interesting)
{
    for (uint32_t change = 0; change <= random_below(4) && length > 1; change++) {
        size_t at = random_below((uint32_t)length);
        size_t some = 1 + random_below(40);
        switch (random_below(4)) {
        case 0:
            text[at] = (char)random_below(256);
            break;
        case 1:
            text[at] = interesting[random_below((uint32_t)n_interesting)];
            break;
        case 2: /* cut */
            some = some < length - at ? some : length - at;
            memmove(text + at, text + at + some, length - at - some);
            length -= some;
            break;
        default: /* double */
            some = some < length - at ? some : length - at;
            if (length + some < most) {
                memmove(text + at + some, text + at, length - at);
                length += some;
            }
        }
    }
    return length;
}

bool overwrite(const char *path, const void *bytes, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    bool ok = file >= 0 && write(file, bytes, length) == (ssize_t)length && ftruncate(file, (off_t)length) == 0;
    if (file >= 0)
        close(file);
    return ok;
}
