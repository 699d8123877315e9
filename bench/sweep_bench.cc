// A sweep of 31 networks at 196 clocks, three runs each, on the twin of a V100S (target: 60 s on two cores,
// files included), and its evaluation.

#include <chrono>

#include <fmt/core.h>

#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"
#include "sweep/clock_choice.h"
#include "sweep/evaluation/evaluation.h"
#include "sweep/evaluation/observations.h"
#include "sweep/plan.h"
#include "sweep/runner.h"
#include "sweep/twin/simulated_executor.h"

namespace {

using namespace ergon;
using Wall = std::chrono::steady_clock;

double seconds_since(Wall::time_point begin) {
  return std::chrono::duration<double>(Wall::now() - begin).count();
}

}  // namespace

int main() {
  std::vector<sweep::SimulatedExecutor::Candidate> networks;
  for (const graph::zoo::Entry& entry : graph::zoo::entries()) {
    const auto network = graph::zoo::build(entry).value();
    if (network.family != "keras" && network.family != "bit") continue;
    networks.push_back({network.name, network});
  }
  sweep::SimulatedExecutor::Settings settings;
  settings.precision = device::Precision::fp32;
  const auto bench =
      std::move(sweep::SimulatedExecutor::open(*device::find_device("v100s"), networks, settings).value());
  sweep::Grid grid;
  for (const auto& each : networks) grid.networks.push_back(each.name);
  grid.clocks = sweep::chosen_clocks(sweep::AllClocks{}, *bench->clocks()).value();
  grid.repetitions = 3;
  grid.scenario = sweep::Scenario::execution;
  std::vector<sweep::RunRow> rows;
  auto begin = Wall::now();
  const auto keep = [&](const sweep::RunRow& row) -> Result<> {
    rows.push_back(row);
    return {};
  };
  (void)sweep::execute_runs(sweep::plan(grid, 1), *bench, keep, {});
  const double ran = seconds_since(begin);
  fmt::print("{:<40} {:8} {:>10.2f} s   {:.2f} ms each\n", "executions on the twin of a V100S", rows.size(),
             ran, 1e3 * ran / static_cast<double>(rows.size()));
  begin = Wall::now();
  const auto evaluation = sweep::evaluate(sweep::observations_of(rows));
  fmt::print("{:<40} {:8} {:>10.2f} s\n", "their evaluation, networks", evaluation.networks.size(),
             seconds_since(begin));
}
