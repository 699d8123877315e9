"""The wheel: the Python files, and what CMake builds for them.

CMake builds in build/release of the repository, so that `make` and this script share their results:

    make python                                         # the wheel, in build/python/dist
    pip install --no-build-isolation ./python           # the same, installed
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

REPOSITORY = Path(__file__).resolve().parent.parent
BUILD = REPOSITORY / "build" / "release"


def version() -> str:
    """The version of include/ergon/version.h."""
    header = (REPOSITORY / "include" / "ergon" / "version.h").read_text(encoding="utf-8")
    numbers = re.findall(r"#define ERGON_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    return ".".join(numbers)


class BuildErgon(build_ext):
    """Builds the module, the library and the program, and puts them into the package."""

    def run(self) -> None:
        run("tools/configure", "release", "-DERGON_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}")
        run("cmake", "--build", "--preset", "release", "--target", "python_files", "programs")
        package = Path(self.build_lib) / "ergon"
        with tempfile.TemporaryDirectory() as folder:
            # Installed files are stripped, and find each other by relative paths.
            for component in ("programs", "python"):
                run("cmake", "--install", str(BUILD), "--component", component, "--strip", "--prefix", folder)
            take(folder, "dist-packages/ergon/_ergon.*.so", package)
            take(folder, f"libergon.so.{version().rpartition('.')[0]}", package / "_lib")
            take(folder, "ergon/libergon_torch.so", package / "_lib")
            take(folder, "bin/ergon", package / "_bin")


def run(*command: str) -> None:
    """Runs a command in the repository."""
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)


def take(folder: str, pattern: str, to: Path) -> None:
    """Copies the installed files that match."""
    to.mkdir(parents=True, exist_ok=True)
    for file in Path(folder).rglob(pattern):
        shutil.copy2(file, to / file.name)


# setup.cfg keeps intermediate files out of the sources.
(REPOSITORY / "build" / "python").mkdir(parents=True, exist_ok=True)

# CMake builds the extension; its name here makes the wheel one of this Python and platform.
setup(
    version=version(),
    ext_modules=[Extension("ergon._ergon", sources=[])],
    cmdclass={"build_ext": BuildErgon},
)
