// Overhead of measuring: time to open and close a window while ten others are open (target: 50 us at the 99th
// percentile), and the sampler's share of a core at a reading every 10 ms (target: 1 %). Uses the GPUs that
// NVML reports; bench/run uses fake-nvml if there are none.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <sys/resource.h>
#include <vector>

#include <fmt/core.h>

#include "base/clock.h"
#include "device/nvml/find.h"
#include "meter/meter.h"

namespace {

using namespace ergon;
using namespace ergon::literals;
using Wall = std::chrono::steady_clock;

double microseconds_since(Wall::time_point begin) {
  return std::chrono::duration<double, std::micro>(Wall::now() - begin).count();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Processor time of all threads but this one.
double others_seconds() {
  rusage all{};
  ::getrusage(RUSAGE_SELF, &all);
  timespec own{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
  return seconds_of(all.ru_utime) + seconds_of(all.ru_stime) - static_cast<double>(own.tv_sec) -
         1e-9 * static_cast<double>(own.tv_nsec);
}

void print_row(const char* what, std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * double(times.size() - 1))];
  };
  fmt::print("{:<24} {:8.2f} us median {:8.2f} us p99 {:8.2f} us p99.9 {:9.2f} us max\n", what, at(0.5),
             at(0.99), at(0.999), times.back());
}

}  // namespace

int main() {
  auto found = device::nvml::find_devices();
  if (!found || found->devices.empty()) {
    fmt::print("no GPU: {}\n", found ? "the driver reports none" : found.error().message);
    return EXIT_FAILURE;
  }
  device::Device& gpu = *found->devices.front();
  SystemClock clock;
  auto meter = meter::Meter::start({&gpu}, clock, {.period = 10_ms});
  if (!meter) {
    fmt::print("{}\n", meter.error().message);
    return EXIT_FAILURE;
  }
  fmt::print("{}{}, a reading every 10 ms, ten windows open\n", gpu.identity().name,
             gpu.simulated() ? " (simulated)" : "");
  std::vector<meter::Window> open;
  for (int i = 0; i < 10; ++i) open.push_back((*meter)->open());

  std::vector<double> opening, closing;
  const Instant until = clock.now() + 10_s;
  while (clock.now() < until) {
    auto begin = Wall::now();
    meter::Window window = (*meter)->open();
    opening.push_back(microseconds_since(begin));
    begin = Wall::now();
    window.close();
    closing.push_back(microseconds_since(begin));
    clock.sleep_until(clock.now() + 0.5_ms);
  }
  print_row("opening a window", opening);
  print_row("closing it", closing);

  constexpr Seconds kQuiet = 10_s;
  const double before = others_seconds();
  clock.sleep_until(clock.now() + kQuiet);
  fmt::print("{:<24} {:8.2f} % of a core\n", "the sampler", 100 * (others_seconds() - before) / kQuiet.si());
  return EXIT_SUCCESS;
}
