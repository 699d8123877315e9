// fake-gpu: runs loads on the GPUs of fake-nvml and shows their true state. docs/fake-nvml.md.

#include "command.h"

int main(int argc, char** argv) { return ergon::fake_nvml::run_command_line(argc, argv); }
