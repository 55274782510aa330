# SPDX-License-Identifier: BSD-3-Clause
"""The options of all verbs, as their help shows them, compared with the table `Words and letters` of CONTRIBUTING.md."""

import collections
import functools
import pathlib
import re

from harness import check, check_equal, firma, main, test

CONTRIBUTING = pathlib.Path(__file__).parents[2] / "CONTRIBUTING.md"
ROW = re.compile(r"\| (?:`-(?P<letter>.)`)? ?\| `--(?P<name>[a-z-]+)` \| (?P<arguments>[^|]*)\| (?P<meaning>.+) \|")
OPTION = re.compile(r"(?:-(?P<letter>.), )?--(?P<name>[a-z-]+)(?:=(?P<argument>.+))?")

Option = collections.namedtuple("Option", "letter arguments meaning")


@functools.cache
def table():
    """Returns {name: Option} of the document."""
    text = CONTRIBUTING.read_text(encoding="utf-8").split("## Words and letters\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in text.splitlines() if "`--" in line and line.startswith("|")]
    rows = [ROW.fullmatch(line) for line in lines]
    check_equal([line for line, row in zip(lines, rows) if not row], [], "rows that can't be read")
    check_equal(len({row["name"] for row in rows}), len(rows), "names, each once")
    return {row["name"]: Option(row["letter"], set(re.findall("`([^`]+)`", row["arguments"])), row["meaning"])
            for row in rows}


def pages(*words):
    """Yields (name, help) of all verbs, and of their words with options of their own."""
    page = firma("help", *words, "--json").expect(0).json()
    for inner in page.get("verbs", page.get("words", [])):
        yield from pages(*inner["name"].split())
    if "options" in page:
        yield " ".join(words), page


@functools.cache
def used():
    """Returns {name: [(verb, Option)]} of firma."""
    options = collections.defaultdict(list)
    for verb, page in pages():
        for shown in page["options"]:
            read = OPTION.fullmatch(shown["option"])
            check(read, f"{verb}: `{shown['option']}` can't be read")
            argument = read["argument"]
            is_choice = argument and argument.split("|") == shown.get("values")
            arguments = set() if not argument else {"NAME"} if is_choice else {argument}
            options[read["name"]].append((verb, Option(read["letter"], arguments, shown["meaning"])))
    return options


def complaints(judge):
    """Returns the complaints about options of verbs that the table lists."""
    return [f"{verb} --{name}: {wrong}" for name, uses in used().items() if name in table()
            for verb, option in uses
            if (wrong := judge(option, table()[name], len({other.meaning for _, other in uses})))]


@test("the table has each option of each verb, and no others")
def complete():
    check(len(list(pages())) > 20, "verbs are missing")
    check_equal(sorted(set(used()) - set(table())), [], "options that the table lacks")
    check_equal(sorted(set(table()) - set(used())), [], "options that no verb has")


@test("an option has the same letter in all verbs, and a letter stands for one option")
def letters():
    check_equal(complaints(lambda option, row, _: option.letter != row.letter and f"-{option.letter}, not -{row.letter}"), [],
                "other letters")
    owners = collections.defaultdict(list)
    for name, row in table().items():
        if row.letter:
            owners[row.letter].append(name)
    check_equal({letter: names for letter, names in owners.items() if len(names) > 1}, {}, "letters with several meanings")


@test("an option has the same kind of argument in all verbs")
def arguments():
    check_equal(complaints(lambda option, row, _: not (option.arguments <= row.arguments and bool(option.arguments) == bool(row.arguments))
                           and f"{option.arguments or 'no argument'}, not {row.arguments or 'none'}"), [], "other arguments")


@test("where verbs explain an option differently, each begins with the meaning")
def meanings():
    check_equal(complaints(lambda option, row, n_texts: n_texts > 1 and not option.meaning.startswith(row.meaning)
                           and f"`{option.meaning}` doesn't begin with `{row.meaning}`"), [], "other meanings")


main()
