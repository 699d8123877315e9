#pragma once

// Random caps on simulated GPUs and on measured tables: throughput relative to the oracle, settling and
// violations. Shared by a test and a benchmark.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "control/controllers/choice.h"
#include "control/plants/trace_plant.h"
#include "control/plants/twin_plant.h"
#include "control/summary.h"
#include "control/surfaces/grid_surface.h"
#include "control/surfaces/oracle.h"
#include "device/twin/catalog.h"
#include "device/twin/steady_state.h"
#include "graph/zoo/zoo.h"

namespace ergon::control::test {

// Another board with another host: a twin never equals the GPU exactly.
inline device::Specification other_board(device::Specification gpu, Random& random) {
  const auto vary = [&](auto& value, double by) { value = value * std::exp(by * random.normal()); };
  vary(gpu.power.bare, 0.05);
  vary(gpu.power.resident, 0.1);
  vary(gpu.power.busy, 0.1);
  for (auto* each : {&gpu.power.simt_flop, &gpu.power.tensor_flop, &gpu.power.half_flop}) vary(*each, 0.15);
  vary(gpu.power.memory, 0.15);
  for (double* each : {&gpu.kernels.stream, &gpu.kernels.tensor, &gpu.kernels.simt}) {
    vary(*each, 0.06);
    *each = std::min(*each, 0.95);
  }
  vary(gpu.host.inference, 0.3);
  return gpu;
}

// A network on a simulated board, with its prior and true surfaces.
struct TwinCase {
  graph::Network network;
  device::Specification board;
  Knobs knobs;
  std::shared_ptr<const Surface> truth, prior;
  Watts min_power, max_power;
};

inline TwinCase twin_case_of(const std::string& network, const std::string& device, std::int64_t max_batch,
                             Random& random) {
  TwinCase twin_case;
  twin_case.network = graph::zoo::build(**graph::zoo::find(network), {}).value();
  const auto nominal = device::find_device(device).value();
  twin_case.board = other_board(nominal, random);
  TwinPlant::Settings settings;
  settings.max_batch = max_batch;
  twin_case.knobs = TwinPlant::of(twin_case.network, twin_case.board, settings).value().knobs();
  const auto precision = device::Precision::tf32;
  twin_case.prior = std::make_shared<GridSurface>(
      twin_surface(twin_case.network, nominal, precision, twin_case.knobs).value());
  // Evaluated at every batch, so that the oracle is exact.
  std::map<std::int64_t, std::vector<Expectation>> rows;
  const device::SensorModel sensor = fastest_sensor(twin_case.board);
  twin_case.min_power = Watts{1e9};
  for (const std::int64_t batch : twin_case.knobs.batches) {
    const auto work =
        device::workload_of(twin_case.network, batch, graph::Mode::inference, precision).value();
    const device::Load load(work, twin_case.board);
    for (const Hertz clock : twin_case.knobs.clocks) {
      const auto state = device::steady_state(load, twin_case.board, {clock, {}});
      rows[batch].push_back({state.activity.time, state.power * sensor.gain + sensor.offset});
      twin_case.min_power = std::min(twin_case.min_power, rows[batch].back().power);
      twin_case.max_power = std::max(twin_case.max_power, rows[batch].back().power);
    }
  }
  const auto& clocks = twin_case.knobs.clocks;
  twin_case.truth = std::make_shared<GridSurface>(
      GridSurface::of(twin_case.knobs.batches, clocks, [&](const Point& point) -> Result<Expectation> {
        const auto at = std::lower_bound(clocks.begin(), clocks.end(), *point.clock) - clocks.begin();
        return rows[point.batch][static_cast<std::size_t>(at)];
      }).value());
  return twin_case;
}

// Result of one controller on one case.
struct Outcome {
  double reached = 0;       // share of the oracle, over the second half
  std::size_t settled = 0;  // decisions
  std::size_t longest = 0;  // consecutive decisions above the cap
  Seconds violation, late;  // time above the cap: in total, and from the tenth decision on
  double microseconds = 0;  // per decision
};

// Measures the run time of a controller.
class Timed final : public Controller {
 public:
  explicit Timed(std::unique_ptr<Controller> inner) : inner_(std::move(inner)) {}
  std::string_view name() const override { return inner_->name(); }
  Action first(Watts cap) override { return inner_->first(cap); }
  Action step(const Feedback& feedback) override {
    const auto begin = std::chrono::steady_clock::now();
    Action action = inner_->step(feedback);
    spent += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    ++steps;
    return action;
  }
  DecisionInterval decision_interval() const override { return inner_->decision_interval(); }
  double spent = 0;
  int steps = 0;

 private:
  std::unique_ptr<Controller> inner_;
};

inline Outcome outcome_of(Plant& plant, const ControllerChoice& choice, Watts cap, const OraclePoint& best,
                          std::size_t decisions) {
  Timed controller(make_controller(choice, plant).value());
  const auto caps = constant_cap(cap);
  RunOptions options;
  options.duration = Seconds{1e9};
  options.max_decisions = decisions;
  const auto run = control::run(plant, controller, *caps, options).value();
  Outcome outcome;
  const Summary summary = summary_of(run);
  outcome.settled = summary.settled_decisions;
  outcome.violation = summary.violation;
  double samples = 0, time = 0;
  std::size_t piece = 0, above = 0;
  for (std::size_t i = 0; i < run.decisions.size(); ++i) {
    const Feedback& feedback = run.decisions[i].feedback;
    if (i >= run.decisions.size() / 2) {
      samples += feedback.samples;
      time += feedback.lasted.si();
    }
    Seconds over;
    for (; piece < run.segments.size() && run.segments[piece].segment.from < feedback.at - Seconds{1e-9};
         ++piece) {
      const auto& [segment, its_cap] = run.segments[piece];
      if (segment.power > its_cap) over += segment.to - segment.from;
    }
    above = over > feedback.lasted / 2 ? above + 1 : 0;
    outcome.longest = std::max(outcome.longest, above);
    if (i >= 10) outcome.late += over;
  }
  outcome.reached = samples / time / best.throughput;
  outcome.microseconds = controller.spent / std::max(1, controller.steps);
  return outcome;
}

}  // namespace ergon::control::test
