// fake-gpu: work for the GPUs of the fake NVML, and a look behind them. docs/fake-nvml.md.

#include "command.h"

int main(int argc, char** argv) { return ergon::fake_nvml::run_command_line(argc, argv); }
