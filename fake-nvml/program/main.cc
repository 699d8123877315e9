// fake-gpu: runs loads on the GPUs of fake-nvml and shows their true state. docs/fake-nvml.md.

#include <cstdio>
#include <exception>

#include "command.h"

int main(int argc, char** argv) {
  try {
    return ergon::fake_nvml::run_command_line(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "fake-gpu: internal error: %s\n", problem.what());
    return 1;
  }
}
