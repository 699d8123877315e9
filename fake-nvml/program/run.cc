#include <csignal>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/units_text.h"
#include "command.h"

namespace ergon::fake_nvml {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void handle_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// Waits until `over()` is true, an interrupt, or the end of `time` (simulation time). Manual time advances in
// one step unless `polls` is set.
template <typename Over>
Result<> wait(Simulation& simulation, std::optional<Seconds> time, bool polls, const Over& over) {
  constexpr Seconds kPollInterval{1e-3}, kManualPollInterval{10e-3}, kForever{1e9};
  const bool manual = simulation.scenario().manual_time;
  const std::int64_t begin_ns = simulation.now_ns();
  const auto left = [&] { return time ? *time - seconds_between(begin_ns, simulation.now_ns()) : kForever; };
  SystemClock clock;
  while (interrupted == 0 && left() > Seconds{0} && !over()) {
    if (manual) {
      const Seconds step = polls ? std::min(left(), kManualPollInterval) : left();
      if (auto advanced = simulation.advance(device::nanoseconds(step)); !advanced) return advanced;
    } else {
      clock.sleep_until(clock.now() + std::min(left(), kPollInterval));
      if (auto looked = simulation.refresh(); !looked) return looked;
    }
  }
  return {};
}

struct Truth {
  std::int64_t time_ns;
  double joules, iterations;
};
Truth truth_of(Simulation& simulation, std::size_t gpu) {
  const device::Twin& twin = simulation.gpu(gpu).twin();
  return {simulation.now_ns(), twin.true_energy().si(), twin.iterations()};
}

void print(const RunOptions& options, const Truth& begin, const Truth& end) {
  const Seconds time = seconds_between(begin.time_ns, end.time_ns);
  const Joules energy{end.joules - begin.joules};
  const double iterations = end.iterations - begin.iterations;
  if (options.json) {
    const nlohmann::json json = {
        {"simulated", true},           {"gpu", options.gpu},         {"network", options.load.network},
        {"batch", options.load.batch}, {"true_joules", energy.si()}, {"seconds", time.si()},
        {"iterations", iterations}};
    std::cout << json.dump(2) << '\n';
    return;
  }
  std::cout << fmt::format("{}: {:.1f} iterations in {}, true energy {}, mean power {}\n",
                           to_text(options.load), iterations, ergon::to_text(time), ergon::to_text(energy),
                           time > Seconds{0} ? ergon::to_text(energy / time) : "-");
}

}  // namespace

Result<> run(Simulation& simulation, const RunOptions& options) {
  handle_interrupts();
  const Owner self = this_process();
  Record begin{
      .command = Command::run, .gpu = options.gpu, .owner = self, .first = options.iterations.value_or(-1)};
  begin.load = options.load;
  if (auto began = simulation.commit(begin); !began) return began;
  const Truth before = truth_of(simulation, options.gpu);
  auto waited = wait(simulation, options.time, options.iterations.has_value(),
                     [&] { return simulation.gpu(options.gpu).finished(self); });
  if (!waited) return waited;
  if (auto stopped = simulation.commit({.command = Command::stop, .gpu = options.gpu, .owner = self});
      !stopped)
    return stopped;
  const Truth after = truth_of(simulation, options.gpu);
  if (auto closed = simulation.commit({.command = Command::close_context, .gpu = options.gpu, .owner = self});
      !closed) {
    return closed;
  }
  print(options, before, after);
  if (interrupted != 0 && (options.time || options.iterations)) return fail(Errc::cancelled, "interrupted");
  return {};
}

Result<> idle(Simulation& simulation, std::size_t gpu, std::optional<Seconds> time) {
  handle_interrupts();
  const Owner self = this_process();
  if (auto opened = simulation.commit({.command = Command::open_context, .gpu = gpu, .owner = self}); !opened)
    return opened;
  if (auto waited = wait(simulation, time, false, [] { return false; }); !waited) return waited;
  return simulation.commit({.command = Command::close_context, .gpu = gpu, .owner = self});
}

}  // namespace ergon::fake_nvml
