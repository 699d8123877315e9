#pragma once

// Caps on simulated GPUs and on measured tables, at random: what controllers reach of what is possible, and
// what they do to get there. A test and a benchmark look at the same cases.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "control/choice.h"
#include "control/grid_surface.h"
#include "control/oracle.h"
#include "control/summary.h"
#include "control/trace_plant.h"
#include "control/twin_plant.h"
#include "device/twin/catalogue.h"
#include "device/twin/steady.h"
#include "graph/zoo/zoo.h"

namespace ergon::control::test {

// Another board with another host: nobody's twin is the GPU itself.
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

// A network on a board, with all that is possible there.
struct Stage {
  graph::Network network;
  device::Specification board;
  Knobs knobs;
  std::shared_ptr<const Surface> truth, believed;
  Watts least, most;
};

inline Stage stage_of(const std::string& network, const std::string& device, std::int64_t most_batch,
                      Random& random) {
  Stage stage;
  stage.network = graph::zoo::build(**graph::zoo::find(network), {}).value();
  const auto nominal = device::find_device(device).value();
  stage.board = other_board(nominal, random);
  TwinPlant::Settings settings;
  settings.most = most_batch;
  stage.knobs = TwinPlant::of(stage.network, stage.board, settings).value().knobs();
  const auto precision = device::Precision::tf32;
  stage.believed =
      std::make_shared<GridSurface>(twin_surface(stage.network, nominal, precision, stage.knobs).value());
  // The truth at every batch, so that the best is the best.
  std::map<std::int64_t, std::vector<Expectation>> rows;
  const device::SensorModel sensor = quickest_sensor(stage.board);
  stage.least = Watts{1e9};
  for (const std::int64_t batch : stage.knobs.batches) {
    const auto work = device::workload_of(stage.network, batch, graph::Mode::inference, precision).value();
    const device::Load load(work, stage.board);
    for (const Hertz clock : stage.knobs.clocks) {
      const auto state = device::steady_state(load, stage.board, {clock, {}});
      rows[batch].push_back({state.activity.time, state.power * sensor.gain + sensor.offset});
      stage.least = std::min(stage.least, rows[batch].back().power);
      stage.most = std::max(stage.most, rows[batch].back().power);
    }
  }
  const auto& clocks = stage.knobs.clocks;
  stage.truth = std::make_shared<GridSurface>(
      GridSurface::of(stage.knobs.batches, clocks, [&](const Point& point) -> Result<Expectation> {
        const auto at = std::lower_bound(clocks.begin(), clocks.end(), *point.clock) - clocks.begin();
        return rows[point.batch][static_cast<std::size_t>(at)];
      }).value());
  return stage;
}

// What came of one controller on one case.
struct Outcome {
  double reached = 0;       // of the best possible, over the second half
  std::size_t settled = 0;  // decisions
  std::size_t longest = 0;  // decisions above the cap, one after the other
  Seconds violation, late;  // above the cap: in all, and from the tenth decision on
  double microseconds = 0;  // of a decision
};

// Times a controller without getting in its way.
class Timed final : public Controller {
 public:
  explicit Timed(std::unique_ptr<Controller> inner) : inner_(std::move(inner)) {}
  std::string_view name() const override { return inner_->name(); }
  Action first(Watts cap) override { return inner_->first(cap); }
  Action step(const Reading& reading) override {
    const auto begin = std::chrono::steady_clock::now();
    Action action = inner_->step(reading);
    spent += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    ++steps;
    return action;
  }
  Patience patience() const override { return inner_->patience(); }
  double spent = 0;
  int steps = 0;

 private:
  std::unique_ptr<Controller> inner_;
};

inline Outcome outcome_of(Plant& plant, const ControllerChoice& choice, Watts cap, const Best& best,
                          std::size_t decisions) {
  Timed controller(make_controller(choice, plant).value());
  const auto caps = constant_cap(cap);
  RunOptions options;
  options.duration = Seconds{1e9};
  options.most_decisions = decisions;
  const auto run = control::run(plant, controller, *caps, options).value();
  Outcome outcome;
  const Summary summary = summary_of(run);
  outcome.settled = summary.settled_decisions;
  outcome.violation = summary.violation;
  double samples = 0, time = 0;
  std::size_t piece = 0, above = 0;
  for (std::size_t i = 0; i < run.decisions.size(); ++i) {
    const Reading& reading = run.decisions[i].reading;
    if (i >= run.decisions.size() / 2) {
      samples += reading.samples;
      time += reading.lasted.si();
    }
    Seconds over;
    for (; piece < run.pieces.size() && run.pieces[piece].stretch.from < reading.at - Seconds{1e-9};
         ++piece) {
      const auto& [stretch, its_cap] = run.pieces[piece];
      if (stretch.power > its_cap) over += stretch.to - stretch.from;
    }
    above = over > reading.lasted / 2 ? above + 1 : 0;
    outcome.longest = std::max(outcome.longest, above);
    if (i >= 10) outcome.late += over;
  }
  outcome.reached = samples / time / best.throughput;
  outcome.microseconds = controller.spent / std::max(1, controller.steps);
  return outcome;
}

}  // namespace ergon::control::test
