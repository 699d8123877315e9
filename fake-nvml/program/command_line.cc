#include <cstdlib>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/errc.h"
#include "base/units_text.h"
#include "command.h"

namespace ergon::fake_nvml {
namespace {

// An option whose text is a quantity.
void add_time(CLI::App& app, const std::string& name, std::optional<Seconds>& target,
              const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [name, &target](const std::string& text) {
           const auto time = parse_quantity<Seconds>(text, name);
           if (!time) throw CLI::ValidationError(time.error().message);
           if (*time < Seconds{0}) throw CLI::ValidationError(name + " must be 0 or more");
           target = *time;
         },
         help)
      ->type_name("TIME");
}

// An option whose text is parsed by `parse`.
template <typename T, typename Parse>
void add_word(CLI::App& app, const std::string& name, T& target, const Parse& parse,
              const std::string& help) {
  app.add_option_function<std::string>(
      name,
      [&target, parse](const std::string& text) {
        const auto value = parse(text);
        if (!value) throw CLI::ValidationError(value.error().message);
        target = *value;
      },
      help);
}

struct CommandLine {
  RunOptions run;
  std::optional<Seconds> by;
  bool json = false;
  std::string scenario;
};

void add_commands(CLI::App& app, CommandLine& options) {
  app.add_option("--scenario", options.scenario, "scenario file (default: $ERGON_FAKE_NVML)")
      ->type_name("FILE");
  app.require_subcommand(1);

  CLI::App* const run = app.add_subcommand("run", "run a network on a GPU and print its true energy");
  run->add_option("network", options.run.load.network, "network of the zoo")->required();
  run->add_option("--gpu", options.run.gpu, "index of the GPU (default: 0)");
  run->add_option("--batch", options.run.load.batch, "batch size (default: 1)")->check(CLI::PositiveNumber);
  add_word(*run, "--precision", options.run.load.precision, parse_precision,
           "fp32, tf32, bf16 or fp16 (default: tf32)");
  add_word(*run, "--mode", options.run.load.mode, parse_mode, "inference or training (default: inference)");
  add_time(*run, "--for", options.run.time, "duration, for example 3s (default: until interrupted)");
  run->add_option("--iterations", options.run.iterations, "maximum number of iterations (default: unlimited)")
      ->check(CLI::PositiveNumber);
  run->add_flag("--json", options.run.json, "print one JSON document");

  CLI::App* const idle = app.add_subcommand("idle", "keep a context open without load");
  idle->add_option("--gpu", options.run.gpu, "index of the GPU (default: 0)");
  add_time(*idle, "--for", options.run.time, "duration (default: until interrupted)");

  CLI::App* const status =
      app.add_subcommand("status", "show clocks, power limit, true power and processes of each GPU");
  status->add_flag("--json", options.json, "print one JSON document");

  CLI::App* const advance = app.add_subcommand("advance", "advance manual time");
  add_time(*advance, "time", options.by, "time to advance, for example 10s");
  advance->get_option("time")->required();

  app.add_subcommand("reset", "restart the simulation for all processes");
}

Result<> run_command(const CLI::App& app, const CommandLine& options) {
  if (!options.scenario.empty()) setenv("ERGON_FAKE_NVML", options.scenario.c_str(), 1);
  const auto scenario = scenario_of_environment();
  if (!scenario) return scenario.error();
  auto simulation = Simulation::open(*scenario, state_folder(*scenario));
  if (!simulation) return simulation.error();
  if (app.got_subcommand("reset")) return simulation->restart();
  if (app.got_subcommand("status")) return print_status(*simulation, options.json);
  if (app.got_subcommand("advance")) return simulation->advance(device::nanoseconds(*options.by));
  if (options.run.gpu >= simulation->size()) {
    return fail(Errc::not_found, "GPU index {} is out of range; the scenario has {} GPUs", options.run.gpu,
                simulation->size());
  }
  if (simulation->scenario().manual_time && !options.run.time && !options.run.iterations) {
    return fail(Errc::invalid_input, "the scenario has manual time: pass --for or --iterations");
  }
  if (app.got_subcommand("idle")) return idle(*simulation, options.run.gpu, options.run.time);
  return run(*simulation, options.run);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{"Run loads on the GPUs of fake-nvml and show their true state."};
  CommandLine options;
  add_commands(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitUsage;
  }
  auto done = run_command(app, options);
  if (done && !std::cout.flush()) done = fail(Errc::io, "standard output could not be written");
  if (done) return kExitDone;
  std::cerr << "fake-gpu: " << done.error().message << '\n';
  return mapping_of(done.error().kind).exit_code;
}

}  // namespace ergon::fake_nvml
