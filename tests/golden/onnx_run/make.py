#!/usr/bin/python3
"""Writes NAME.onnx and NAME.json beside this file. The same numbers every time."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True

import models  # noqa: E402


def main():
    folder = pathlib.Path(__file__).parent
    for build in models.ALL:
        network = build()
        (folder / f"{network.name}.onnx").write_bytes(network.model().SerializeToString(deterministic=True))
        text = json.dumps(network.expectation(), separators=(",", ":"))
        (folder / f"{network.name}.json").write_text(text.replace("},{", "},\n{") + "\n")


if __name__ == "__main__":
    main()
