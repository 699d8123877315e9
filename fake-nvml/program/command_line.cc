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
           if (*time < Seconds{0}) throw CLI::ValidationError(name + " wants 0 or more");
           target = *time;
         },
         help)
      ->type_name("TIME");
}

// A word that one of our parsers understands.
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

struct Wish {
  RunWish run;
  std::optional<Seconds> by;
  bool json = false;
  std::string scenario;
};

void add_commands(CLI::App& app, Wish& wish) {
  app.add_option("--scenario", wish.scenario, "the scenario, in the place of $ERGON_FAKE_NVML")
      ->type_name("FILE");
  app.require_subcommand(1);

  CLI::App* const run = app.add_subcommand("run", "run a network on a GPU, and tell what it took in truth");
  run->add_option("network", wish.run.load.network, "a network of the zoo")->required();
  run->add_option("--gpu", wish.run.gpu, "index of the GPU (0)");
  run->add_option("--batch", wish.run.load.batch, "images at once (1)")->check(CLI::PositiveNumber);
  add_word(*run, "--precision", wish.run.load.precision, parse_precision, "fp32, tf32 (usual), bf16 or fp16");
  add_word(*run, "--mode", wish.run.load.mode, parse_mode, "inference (usual) or training");
  add_time(*run, "--for", wish.run.time, "how long, such as 3s; without it until interrupted");
  run->add_option("--iterations", wish.run.iterations, "how often, at most")->check(CLI::PositiveNumber);
  run->add_flag("--json", wish.run.json, "print one JSON document");

  CLI::App* const idle = app.add_subcommand("idle", "hold a context open and do nothing");
  idle->add_option("--gpu", wish.run.gpu, "index of the GPU (0)");
  add_time(*idle, "--for", wish.run.time, "how long; without it until interrupted");

  CLI::App* const status = app.add_subcommand("status", "what each GPU is at");
  status->add_flag("--json", wish.json, "print one JSON document");

  CLI::App* const advance = app.add_subcommand("advance", "let manual time pass");
  add_time(*advance, "time", wish.by, "such as 10s");
  advance->get_option("time")->required();

  app.add_subcommand("reset", "begin the world anew, for everybody");
}

Result<> obey(const CLI::App& app, const Wish& wish) {
  if (!wish.scenario.empty()) setenv("ERGON_FAKE_NVML", wish.scenario.c_str(), 1);
  const auto scenario = scenario_of_environment();
  if (!scenario) return scenario.error();
  auto world = World::open(*scenario, state_folder(*scenario));
  if (!world) return world.error();
  if (app.got_subcommand("reset")) return world->begin_anew();
  if (app.got_subcommand("status")) return print_status(*world, wish.json);
  if (app.got_subcommand("advance")) return world->advance(device::nanoseconds(*wish.by));
  if (wish.run.gpu >= world->size()) {
    return fail(Errc::not_found, "there is no GPU {}; the scenario has {}", wish.run.gpu, world->size());
  }
  if (world->scenario().manual_time && !wish.run.time && !wish.run.iterations) {
    return fail(Errc::invalid_input, "time is manual: --for has to say how much of it passes");
  }
  if (app.got_subcommand("idle")) return idle(*world, wish.run.gpu, wish.run.time);
  return run(*world, wish.run);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{"Work for the GPUs of the fake NVML, and a look behind them."};
  Wish wish;
  add_commands(app, wish);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitUsage;
  }
  const auto done = obey(app, wish);
  if (done) return kExitDone;
  std::cerr << "fake-gpu: " << done.error().message << '\n';
  return face(done.error().kind).exit_code;
}

}  // namespace ergon::fake_nvml
