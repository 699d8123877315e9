// Schedules: time from the name of a network to the optimality proof, and time of the whole ARADA study.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "allocate/arada.h"
#include "allocate/plan.h"
#include "systolic/catalog/catalog.h"

namespace {

using namespace ergon;
using namespace ergon::allocate;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_milliseconds(int times, const std::function<void()>& work) {
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) taken.push_back(1e3 * seconds(work));
  std::sort(taken.begin(), taken.end());
  return taken[taken.size() / 2];
}

// Builds the network, traces its layers, chooses a schedule, simulates it and proves its gap.
Schedule allocate_once(const std::string& network, const Hardware& hardware, const PlanRequest& request) {
  const auto layers = systolic::zoo_layers(network);
  if (!layers) std::abort();
  systolic::ScheduleCache cache;
  const auto demands = demands_of(*layers, hardware, cache);
  if (!demands) std::abort();
  auto schedule = plan(*demands, hardware, request);
  if (!schedule) std::abort();
  return std::move(*schedule);
}

}  // namespace

// bench_allocate ERGON: path of the ergon program.
int main(int arguments, char** values) {
  fmt::print("One schedule, cold, in milliseconds (target 100 ms), and its gap\n\n");
  fmt::print("  {:<28}{:>10}{:>10}{:>10}{:>14}{:>12}{:>10}\n", "network, hpc-tpu, hbm2", "vf-oh-q", "optimal",
             "slack 2%", "optimal-split", "slack 2%", "gap");
  const auto accelerator = systolic::find_accelerator("hpc-tpu");
  const Hardware hardware =
      hardware_of(*accelerator, static_cast<double>(accelerator->calibrated_words_per_cycle.at("hbm2")));
  std::vector<std::string> networks = arada_networks();
  for (const char* const large :
       {"torchvision/resnet152", "torchvision/densenet201", "keras/efficientnetb7"}) {
    networks.emplace_back(large);
  }
  for (const std::string& network : networks) {
    const auto taken = [&](Scheme scheme, double slack) {
      return median_milliseconds(
          5, [&] { allocate_once(network, hardware, {.scheme = scheme, .slack = slack}); });
    };
    const Schedule last = allocate_once(network, hardware, {.scheme = Scheme::optimal_split, .slack = 0.02});
    fmt::print("  {:<28}{:>10.1f}{:>10.1f}{:>10.1f}{:>14.1f}{:>12.1f}{:>10.2g}\n", network,
               taken(Scheme::vf_oh_q, 0), taken(Scheme::optimal, 0), taken(Scheme::optimal, 0.02),
               taken(Scheme::optimal_split, 0), taken(Scheme::optimal_split, 0.02), last.gap());
  }
  if (arguments < 2) return 0;
  const std::string study = std::string(values[1]) + " reproduce arada > /dev/null";
  fmt::print("\n  ergon reproduce arada, two threads: {:.2f} s (target 20 s)\n", seconds([&] {
               if (std::system(study.c_str()) == -1) std::abort();
             }));
}
