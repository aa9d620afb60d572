# SPDX-License-Identifier: GPL-2.0
"""Generated frames, and what tshark makes of them; tools/testing/suites/dissect.sh uses it.

    dissect record DEVICE...    for each line "FILE DEVICE..." on standard input start a run and
                                write what arrives at the last DEVICE as pcapng; print how many
                                frames arrived at each DEVICE with a checksum to complete
    dissect judge DIRECTORY CIPHER-KEY ICV-KEY
                                let tshark read DIRECTORY/*.pcapng, and compare with *.want;
                                the keys are those of ESP
"""

import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "parity"))

COMMANDS = ("record", "judge")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    # Each starts without what only the other needs.
    if sys.argv[1] == "record":
        from record import record as command
    else:
        from judge import judge as command
    try:
        command(*sys.argv[2:])
    except (OSError, RuntimeError) as error:
        sys.exit(f"dissect {sys.argv[1]}: {error}")


main()
