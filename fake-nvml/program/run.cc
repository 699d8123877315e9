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

void heed_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// Lets time pass until `over` holds, somebody interrupts, or the deadline of the world's time has come.
// Manual time passes in one step where nothing else is waited for.
template <typename Over>
Result<> wait(World& world, std::optional<Seconds> time, bool glances, const Over& over) {
  constexpr Seconds kGlance{1e-3}, kManualGlance{10e-3}, kEver{1e9};
  const bool manual = world.scenario().manual_time;
  const std::int64_t begin_ns = world.now_ns();
  const auto left = [&] { return time ? *time - seconds_between(begin_ns, world.now_ns()) : kEver; };
  SystemClock clock;
  while (interrupted == 0 && left() > Seconds{0} && !over()) {
    if (manual) {
      const Seconds step = glances ? std::min(left(), kManualGlance) : left();
      if (auto advanced = world.advance(device::nanoseconds(step)); !advanced) return advanced;
    } else {
      clock.sleep_until(clock.now() + std::min(left(), kGlance));
      if (auto looked = world.look(); !looked) return looked;
    }
  }
  return {};
}

struct Truth {
  std::int64_t moment_ns;
  double joules, iterations;
};
Truth truth_of(World& world, std::size_t gpu) {
  const device::Twin& twin = world.gpu(gpu).twin();
  return {world.now_ns(), twin.true_energy().si(), twin.iterations()};
}

void print(const RunWish& wish, const Truth& begin, const Truth& end) {
  const Seconds time = seconds_between(begin.moment_ns, end.moment_ns);
  const Joules energy{end.joules - begin.joules};
  const double iterations = end.iterations - begin.iterations;
  if (wish.json) {
    const nlohmann::json json = {{"simulated", true},
                                 {"gpu", wish.gpu},
                                 {"network", wish.load.network},
                                 {"batch", wish.load.batch},
                                 {"true_joules", energy.si()},
                                 {"seconds", time.si()},
                                 {"iterations", iterations}};
    std::cout << json.dump(2) << '\n';
    return;
  }
  std::cout << fmt::format("{}: {:.1f} iterations in {}, true energy {}, {} on the mean\n",
                           to_text(wish.load), iterations, ergon::to_text(time), ergon::to_text(energy),
                           time > Seconds{0} ? ergon::to_text(energy / time) : "-");
}

}  // namespace

Result<> run(World& world, const RunWish& wish) {
  heed_interrupts();
  const Owner self = this_process();
  Record begin{
      .command = Command::run, .gpu = wish.gpu, .owner = self, .first = wish.iterations.value_or(-1)};
  begin.load = wish.load;
  if (auto began = world.happen(begin); !began) return began;
  const Truth before = truth_of(world, wish.gpu);
  auto waited =
      wait(world, wish.time, wish.iterations.has_value(), [&] { return world.gpu(wish.gpu).finished(self); });
  if (!waited) return waited;
  if (auto stopped = world.happen({.command = Command::stop, .gpu = wish.gpu, .owner = self}); !stopped)
    return stopped;
  const Truth after = truth_of(world, wish.gpu);
  if (auto closed = world.happen({.command = Command::close_context, .gpu = wish.gpu, .owner = self});
      !closed) {
    return closed;
  }
  print(wish, before, after);
  if (interrupted != 0 && (wish.time || wish.iterations)) return fail(Errc::cancelled, "interrupted");
  return {};
}

Result<> idle(World& world, std::size_t gpu, std::optional<Seconds> time) {
  heed_interrupts();
  const Owner self = this_process();
  if (auto opened = world.happen({.command = Command::open_context, .gpu = gpu, .owner = self}); !opened)
    return opened;
  if (auto waited = wait(world, time, false, [] { return false; }); !waited) return waited;
  return world.happen({.command = Command::close_context, .gpu = gpu, .owner = self});
}

}  // namespace ergon::fake_nvml
