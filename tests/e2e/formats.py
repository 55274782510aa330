# SPDX-License-Identifier: BSD-3-Clause
"""Reads the lists of keys in docs/FORMATS.md, and finds keys of documents that the lists lack. Harness.firma calls it for each
document that a test makes firma print. So FORMATS.md must have each printed key at its place.

    - `series` (list of objects): …            a key; the keys of the objects follow, indented by two columns
    - `high` (object as in `low` above): …     the same keys as those of `low`
    - `words` (list …): as `verbs` of [`firma help`](#firma-help)          the same keys as those of `verbs` in that section
    As [`firma predict`](#firma-predict), and …                            all keys of that section
"""

import functools
import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs/FORMATS.md"
_HEADING = re.compile(r"^##+ (.*)")
_ITEM = re.compile(r"^( *)- `([^`]+)`(?: \(((?:[^()]|\([^()]*\))*)\))?:?(.*)")
_ABOVE = re.compile(r"as in `(\w+)` above")
_LINK = re.compile(r"\bas (?:(?:an item of )?`(\w+)` (?:of|in) )?\[[^]]*\]\(#([^)]+)\)", re.IGNORECASE)


class Key:
    def __init__(self, kind):
        self.kind, self.keys, self.links = kind, {}, []

    def find(self, sections):
        """The keys of the objects at this place."""
        found = dict(self.keys)
        for name, anchor in self.links:
            section = sections[anchor]
            found.update((section.keys[name] if name else section).find(sections))
        return found


def anchor_of(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _blocks(text):
    """Yields items and paragraphs, each as one line with its indentation."""
    block = ""
    for line in re.sub(r"<!--.*?-->", "", text).splitlines() + [""]:
        if block and (not line.strip() or line.lstrip().startswith(("- ", "#", "|"))):
            yield block
            block = ""
        block = f"{block} {line.strip()}" if block else line
    yield block


def parse(text):
    """Returns {anchor: Key} of the sections, and {anchor: heading}."""
    sections, headings, section, path = {}, {}, Key("section"), []
    for block in _blocks(text):
        heading, item = _HEADING.match(block), _ITEM.match(block)
        if heading:
            section, path = Key("section"), []
            sections[anchor_of(heading[1])], headings[anchor_of(heading[1])] = section, heading[1]
            seen = {}
            if '"format": ' in heading[1]:
                section.keys = {"format": Key("text"), "version": Key("whole number")}
        elif item:
            depth, name, kind, meaning = len(item[1]) // 2, item[2], item[3] or "", item[4]
            key = Key(kind)
            above = _ABOVE.search(kind)
            key.keys = seen[above[1]].keys if above else {}
            key.links = _LINK.findall(meaning)
            (path[depth - 1] if depth else section).keys[name] = seen[name] = key
            path[depth:] = [key]
        elif not block.startswith((" ", "|")):
            section.links += _LINK.findall(block)
    return sections, headings


@functools.cache
def _page():
    return parse(PAGE.read_text(encoding="utf-8"))


def missing(value, key, sections, where=""):
    """Returns the first key of a value that the list lacks, or None. If the list has no keys for an object, the user names
    them, as in `parameters`."""
    if isinstance(value, list):
        return next((found for one in value if (found := missing(one, key, sections, where))), None)
    if not isinstance(value, dict):
        return None
    keys = key.find(sections)
    if not keys:
        return None if "object" in key.kind or key.kind.startswith("list") else f"{where}, which has keys"
    for name, inner in value.items():
        place = f"{where}.{name}" if where else name
        found = missing(inner, keys[name], sections, place) if name in keys else place
        if found:
            return found
    return None


def _is_about(heading, words, options):
    """True if a section describes a command: `firma show --ticks` describes `firma show a.trace --ticks 3`."""
    if not heading.startswith("`firma "):
        return False
    named = heading.strip("`").split()[1:]
    plain = [word for word in named if not word.startswith("-")]
    return plain == words and all(option in options for option in named if option.startswith("-"))


def _sections_of(command, headings):
    options = {word.split("=")[0] for word in command if word.startswith("-")}
    words = []
    for word in command:
        if word.startswith("-") and words:
            break
        words += [] if word.startswith("-") else [word]
    if not words or words[0] == "help" or options & {"--help", "-h"}:
        words = ["help", "VERB"] if [word for word in words if word != "help"] else ["help"]
    for length in (2, 1):
        if found := [anchor for anchor, heading in headings.items() if _is_about(heading, words[:length], options)]:
            return found
    return []


def undocumented(command, document):
    """Returns the first key that docs/FORMATS.md lacks of the document that `firma COMMAND` printed, or None."""
    sections, headings = _page()
    if list(command[:1]) == ["scale"] and "unmatched" in document:  # the word `counts` may be left out
        command = ["scale", "counts", *(word for word in command[1:] if word != "counts")]
    if "error" in document:
        whole = sections[anchor_of("`--json`")]
    else:
        whole = Key("section")
        for anchor in ["--json"] + _sections_of(command, headings):
            whole.keys.update(sections[anchor].find(sections))
    return missing(document, whole, sections)
