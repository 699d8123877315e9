"""`python3 -m ergon ...` is the program `ergon ...`."""

import sys

from ._errors import ErgonError
from ._program import run_program

if __name__ == "__main__":
    try:
        run_program()
    except (ErgonError, OSError) as error:
        print(f"ergon: {error}", file=sys.stderr)
        sys.exit(1)
