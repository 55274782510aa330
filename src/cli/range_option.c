/* SPDX-License-Identifier: BSD-3-Clause */
/* See range_option.h. */
#include "cli/range_option.h"

#include <errno.h>
#include <stdlib.h>

/* At *text; moves behind it. */
static bool read_number(const char **text, uint64_t *number)
{
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0 && *number < INT64_MAX;
}

bool number_option_parse(const char *option, const char *text, uint64_t *number, Err *err)
{
    const char *rest = text;
    uint64_t parsed;
    if (!read_number(&rest, &parsed) || *rest)
        return err_set(err, ERR_USAGE, "%s: `%s` is not a whole number", option, text);
    *number = parsed;
    return true;
}

bool range_option_parse(const char *option, const char *text, Range *range, Err *err)
{
    const char *rest = text;
    Range parsed = {0, UINT64_MAX};
    bool ok = *rest == ':' || read_number(&rest, &parsed.first);
    if (ok && *rest == ':') {
        rest++;
        ok = (!*rest && rest - text > 1) || read_number(&rest, &parsed.end);
    } else {
        parsed.end = parsed.first + 1;
    }
    if (!ok || *rest)
        return err_set(err, ERR_USAGE, "%s: `%s` is not a range", option, text) ||
               err_hint(err, "3:7 is 3 to 6, 3: from 3 on, :7 up to 6, and 3 is 3 alone");
    if (parsed.first >= parsed.end)
        return err_set(err, ERR_USAGE, "%s: the range `%s` is empty", option, text) ||
               err_hint(err, "3:7 is 3 to 6: the end itself isn't in it");
    *range = parsed;
    return true;
}

bool percent_option_check(const char *option, double percent, bool zero_is_fine, double *share, Err *err)
{
    if (!(percent >= 0 && percent <= 100) || (percent == 0 && !zero_is_fine))
        return err_set(err, ERR_USAGE, "%s: %g is not a percentage %s", option, percent,
                       zero_is_fine ? "between 0 and 100" : "above 0, at most 100");
    *share = percent / 100;
    return true;
}
