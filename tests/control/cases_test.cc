// Random caps on simulated boards, and caps on measured tables: thresholds for some numbers of
// bench/cap_bench.cc.

#include "control/cases.h"

#include <gtest/gtest.h>

#include "base/statistics/quantile.h"

namespace ergon::control {
namespace {

using test::Outcome;

struct Bars {
  std::vector<double> reached;
  int longer = 0, late = 0, slow = 0;
  void add(const Outcome& outcome) {
    reached.push_back(outcome.reached);
    longer += outcome.longest > 1;
    late += outcome.late > Seconds{0.1};
    slow += outcome.settled > 8;
  }
  double median() const { return statistics::median(reached).value(); }
  double low() const { return statistics::quantile(reached, 0.05).value(); }
};

TEST(Cases, ControllersReachTheOracleOnTwins) {
  Random random(11);
  std::map<ControllerKind, Bars> bars;
  for (const auto& [network, device] : {std::pair{"resnet50", "v100"},
                                        {"mobilenet_v2", "h200"},
                                        {"efficientnet_b0", "a30"},
                                        {"vgg16", "a100-pcie-40"},
                                        {"googlenet", "rtx2080ti"},
                                        {"vit_b_16", "a30"},
                                        {"densenet121", "h200"},
                                        {"resnet18", "p40"}}) {
    const test::TwinCase twin_case = test::twin_case_of(network, device, 96, random);
    Knobs batches = twin_case.knobs;
    batches.clocks = {twin_case.knobs.clocks.back()};
    for (int i = 0; i < 12; ++i) {
      const Watts lowest = twin_case.min_power * 1.05,
                  cap = lowest + (twin_case.max_power * 1.02 - lowest) * ((i + 0.5) / 12);
      for (const ControllerKind kind : {ControllerKind::batchsizer_plus, ControllerKind::joint}) {
        const OracleResult best =
            oracle(*twin_case.truth, kind == ControllerKind::joint ? twin_case.knobs : batches, cap);
        if (!best.within_cap) continue;
        TwinPlant::Settings settings;
        settings.seed = static_cast<std::uint64_t>(i);
        settings.batches = twin_case.knobs.batches;
        auto plant = TwinPlant::of(twin_case.network, twin_case.board, settings).value();
        (void)plant.run(best.best.point, {1, 300 / fastest_sensor(twin_case.board).period.si()});
        const ControllerChoice choice{
            .kind = kind, .prior = twin_case.prior, .max_power = twin_case.board.limit.max};
        bars[kind].add(test::outcome_of(plant, choice, cap, best.best, 40));
      }
    }
  }
  for (const auto& [kind, each] : bars) {
    EXPECT_GE(each.median(), 0.97) << name_of(kind);
    EXPECT_LE(each.longer, 1) << name_of(kind);
    EXPECT_LE(each.late, 1) << name_of(kind);
    EXPECT_LE(each.slow, 9) << name_of(kind);
  }
  EXPECT_GE(bars[ControllerKind::joint].low(), 0.90);
  EXPECT_GE(bars[ControllerKind::joint].reached.size(), 90u);
}

TEST(Cases, ControllersBeatBatchSizerOnMeasuredTables) {
  const std::string path = ERGON_REPOSITORY "/data/reference/h200/networks_infer.csv";
  std::map<ControllerKind, Bars> bars;
  const auto networks = trace_networks(path).value();
  for (const std::string& network : networks) {
    const BatchTrace trace = read_trace(path, network).value();
    Watts lowest{1e9}, most;
    for (const TraceCell& cell : trace.cells) {
      lowest = std::min(lowest, cell.power);
      most = std::max(most, cell.power);
    }
    for (int i = 0; i < 6; ++i) {
      const Watts cap = lowest * 1.05 + (most - lowest * 1.05) * ((i + 0.5) / 6);
      for (const ControllerKind kind :
           {ControllerKind::batchsizer, ControllerKind::batchsizer_plus, ControllerKind::joint}) {
        TracePlant plant(trace);
        const OracleResult best = oracle(plant.surface(), plant.knobs(), cap);
        if (best.within_cap)
          bars[kind].add(
              test::outcome_of(plant, {.kind = kind, .max_power = most * 1.2}, cap, best.best, 40));
      }
    }
  }
  for (const ControllerKind kind : {ControllerKind::batchsizer_plus, ControllerKind::joint}) {
    EXPECT_GE(bars[kind].median(), 0.97) << name_of(kind);
    EXPECT_GE(bars[kind].low(), 0.8) << name_of(kind);
    EXPECT_EQ(bars[kind].longer, 0) << name_of(kind);
  }
  EXPECT_LT(bars[ControllerKind::batchsizer].median(), 0.5) << "a decision after ten batches reads the past";
}

}  // namespace
}  // namespace ergon::control
