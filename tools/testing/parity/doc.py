# SPDX-License-Identifier: GPL-2.0
"""The table of differences for people and that for the comparison have the same names."""

import re

from known import NAMES

NAME = re.compile(r"^   \* - ``([a-z0-9-]+)``$", re.MULTILINE)


def disagreements(path):
    """What one table has and the other does not, a line each."""
    with open(path, encoding="utf-8") as file:
        listed = NAME.findall(file.read())
    known = set(NAMES)
    found = [f"'{name}' is twice in {path}" for name in sorted(set(listed)) if listed.count(name) > 1]
    found += [f"'{name}' is in known/ and not in {path}" for name in sorted(known - set(listed))]
    found += [f"'{name}' is in {path} and not in known/" for name in sorted(set(listed) - known)]
    return found
