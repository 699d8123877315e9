// Power capping. On twins: random networks, devices and caps; the boards differ from the controllers' model,
// are warm and have sensor noise. On measured tables: every network at ten caps. Compares the published
// BatchSizer, its DVFS baseline and Ergon's controllers.
//   bench_cap [CASES [TABLE...]]

#include <fmt/core.h>

#include "base/statistics/quantile.h"
#include "control/cases.h"

namespace {

using namespace ergon;
using namespace ergon::control;
using test::Outcome;

constexpr std::size_t kDecisions = 60;
using Outcomes = std::map<std::string, std::vector<Outcome>>;

void print(const std::string& title, const Outcomes& outcomes) {
  fmt::print("\n{}\n\n{:<14} {:>5} {:>8} {:>6} {:>10} {:>10} {:>10} {:>9} {:>9}\n", title, "", "cases",
             "median", "5 %", "above (s)", "> 1 dec.", "after 10", "> 8 dec.", "us");
  for (const auto& [name, all] : outcomes) {
    std::vector<double> reached;
    double violation = 0, cost = 0;
    int longer = 0, late = 0, slow = 0;
    for (const Outcome& each : all) {
      reached.push_back(each.reached);
      violation += each.violation.si() / static_cast<double>(all.size());
      cost += each.microseconds / static_cast<double>(all.size());
      longer += each.longest > 1;
      late += each.late > Seconds{0};
      slow += each.settled > 8;
    }
    fmt::print("{:<14} {:>5} {:>7.1f}% {:>5.1f}% {:>10.2f} {:>10} {:>10} {:>9} {:>9.1f}\n", name, all.size(),
               100 * *statistics::median(reached), 100 * *statistics::quantile(reached, 0.05), violation,
               longer, late, slow, cost);
  }
}

void warm(TwinPlant& plant, const device::Specification& gpu, const Point& point) {
  (void)plant.run(point, {1, 300 / fastest_sensor(gpu).period.si()});
}

void on_twins(int cases) {
  const std::vector<std::string> networks{
      "resnet50",    "mobilenet_v2", "vgg16",    "efficientnet_b0",    "googlenet",
      "densenet121", "inception_v3", "vit_b_16", "shufflenet_v2_x1_0", "resnet18"};
  const std::vector<std::string> devices{"p40", "v100", "a100-pcie-40", "a30", "h200", "rtx2080ti"};
  Random random(7);
  std::map<std::pair<std::size_t, std::size_t>, test::TwinCase> twin_cases;
  Outcomes outcomes;
  for (int i = 0; i < cases; ++i) {
    const std::pair where{random.below(networks.size()), random.below(devices.size())};
    const double at = random.uniform();
    const std::uint64_t seed = random.bits();
    auto twin_case = twin_cases.find(where);
    if (twin_case == twin_cases.end())
      twin_case =
          twin_cases
              .emplace(where, test::twin_case_of(networks[where.first], devices[where.second], 256, random))
              .first;
    const test::TwinCase& its = twin_case->second;
    const Watts lowest = its.min_power * 1.05, cap = lowest + (its.max_power * 1.02 - lowest) * at;
    Knobs batches = its.knobs;
    batches.clocks = {its.knobs.clocks.back()};
    for (const ControllerKind kind : kControllers) {
      const bool clocks = kind == ControllerKind::dvfs || kind == ControllerKind::joint;
      const OracleResult best = oracle(*its.truth, clocks ? its.knobs : batches, cap);
      if (!best.within_cap) continue;
      TwinPlant::Settings settings;
      settings.seed = seed;
      settings.batches = its.knobs.batches;
      auto plant = TwinPlant::of(its.network, its.board, settings).value();
      if (plant.idle_power() > cap) continue;
      warm(plant, its.board, best.best.point);
      ControllerChoice choice{.kind = kind, .prior = its.prior, .max_power = its.board.limit.max};
      outcomes[std::string(name_of(kind))].push_back(
          test::outcome_of(plant, choice, cap, best.best, kDecisions));
    }
  }
  print(fmt::format(
            "{} caps on {} twins: throughput relative to the oracle (batchsizer and batchsizer+: to the "
            "best batch)",
            cases, twin_cases.size()),
        outcomes);
}

void on_table(const std::string& path) {
  const auto names = trace_networks(path);
  if (!names) {
    fmt::print("{}\n", names.error().message);
    return;
  }
  Outcomes outcomes;
  std::size_t networks = 0;
  for (const std::string& network : *names) {
    const auto trace = read_trace(path, network);
    if (!trace) continue;
    ++networks;
    for (int i = 0; i < 10; ++i) {
      Watts lowest{1e9}, highest;
      for (const TraceCell& cell : trace->cells) {
        lowest = std::min(lowest, cell.power);
        highest = std::max(highest, cell.power);
      }
      const Watts cap = lowest * 1.05 + (highest - lowest * 1.05) * (0.1 * i + 0.05);
      for (const ControllerKind kind : kControllers) {
        TracePlant::Options options;
        options.seed = static_cast<std::uint64_t>(i);
        TracePlant plant(*trace, options);
        if (kind == ControllerKind::dvfs && plant.knobs().clocks.empty()) continue;
        Knobs knobs = plant.knobs();
        const bool sets_clock = kind == ControllerKind::dvfs || kind == ControllerKind::joint;
        if (!sets_clock && !knobs.clocks.empty()) knobs.clocks = {knobs.clocks.back()};
        const OracleResult best = oracle(plant.surface(), knobs, cap);
        if (!best.within_cap) continue;
        outcomes[std::string(name_of(kind))].push_back(
            test::outcome_of(plant, {.kind = kind, .max_power = highest * 1.2}, cap, best.best, kDecisions));
      }
    }
  }
  print(fmt::format("{}: {} networks at ten caps each", path, networks), outcomes);
}

}  // namespace

int main(int argc, char** argv) {
  on_twins(argc > 1 ? std::atoi(argv[1]) : 1000);
  for (int i = 2; i < argc; ++i) on_table(argv[i]);
  fmt::print(
      "\nmedian, 5 %: throughput relative to the oracle\n"
      "above (s): mean time above the cap\n"
      "> 1 dec.: cases with a violation longer than one decision\n"
      "after 10: cases with a violation after the tenth decision\n"
      "> 8 dec.: cases that settled after more than eight decisions\n"
      "us: computing time of the controller per decision\n");
}
