# SPDX-License-Identifier: BSD-3-Clause
"""Compares the shape of output: what documents show, and what a command prints here. Numbers with their units, paths, host
names, dates and versions may differ, and so may the widths of columns. A line `…` of a document stands for any lines. Some
words depend on the measurement; MEASURED_WORDS lists them."""

import difflib
import re
import socket

DOCUMENT_HOST = "vm"  # the host on which the documents' output was printed
ANY_LINES = "…"

_UNITS = "ns|µs|ms|min|s|h|B|[kMGT]B|[KMG]iB|[kMGT]?B/s|/s|%|×"
_RULES = [(re.compile(pattern), replacement) for pattern, replacement in (
    (r"\d{4}-\d\d-\d\dT[\d:]+Z", "<date>"),
    (r"(?<![\w.])(?:\.{0,2}/)[\w.+-]+(?:/[\w.+-]+)*", "<path>"),
    (r"\bv?\d+(?:\.\d+){2,}\b", "<version>"),
    (r"\d+ (?:min|h) \d+ (?:min|s)\b", "#"),
    (r"(?<=\d) (?=\d{3}(?!\d))", ""),  # groups of digits
    (rf"(?<![\w.])[−+±-]?\d+(?:\.\d+)?(?:e[−+-]?\d+)?(?: ?(?:{_UNITS})(?!\w))?", "#"),
    (r"<#", "#"),
    (r"(?<=\s)–(?=\s|$)", "#"),  # a cell without a number
)]
MEASURED_WORDS = [(re.compile(pattern), replacement) for pattern, replacement in (
    (r"predicted too (?:high|low)", "predicted too <high>"),
    (r"; (?:inside|outside) the interval", "; <inside> the interval"),
    (r"(planned: # of the traced run), .*", r"\1"),  # why it is more than --budget
    (r"; [^)(]* narrows? it", ""), (r"; the run's beginning is unlike [^)(]* more", ""),  # printed for wide intervals
    (r",? not lin(?:ear|es)\b", ""),  # printed for costs that no lines fit
    (r"(?:# (?:more )?to )?# (?:less|more)\b|about the same|the default", "<gain>"),
    (r"\b(?:unix|tcp|shm|icmp|default|(?:direct|daemon) (?:xdr|raw|inplace))\b", "<way>"),
    (r"# of # inside", "<inside>"),
    (r"(?:measured|measured as it ran|the trace, scaled)$", "<from>"),
)]


def shape(line, host):
    """A line without the parts that may differ."""
    line = re.sub(rf"\b{re.escape(host)}\b", "<host>", line)
    for pattern, replacement in _RULES + MEASURED_WORDS:
        line = pattern.sub(replacement, line)
    return " ".join(line.split())


def _shapes(lines, host):
    """Without what is printed only if other programs disturb the run."""
    return [line for line in (shape(line, host) for line in lines)
            if line and not line.startswith(("busy machine ", "busy when traced "))]


def _matches_at(shown, printed):
    """True if the document's shapes match the printed ones. Dynamic programming over `…`."""
    reachable = {0}  # possible numbers of printed lines that are already matched
    for line in shown:
        if line == ANY_LINES:
            reachable = set(range(min(reachable), len(printed) + 1)) if reachable else set()
        else:
            reachable = {i + 1 for i in reachable if i < len(printed) and printed[i] == line}
    return len(printed) in reachable


def matches(shown, *outputs):
    """True if one of the outputs (texts) has the shape of the document's lines."""
    wanted = _shapes(shown, DOCUMENT_HOST)
    return any(_matches_at(wanted, _shapes(output.splitlines(), socket.gethostname())) for output in outputs)


def difference(shown, output):
    """Describes how the shapes differ."""
    return "\n".join(difflib.unified_diff(_shapes(shown, DOCUMENT_HOST),
                                          _shapes(output.splitlines(), socket.gethostname()),
                                          "shown", "printed", lineterm="", n=1))
