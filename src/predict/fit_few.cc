// A device of which only a handful of rows are known: its twin keeps the shape, the rows give the scale.

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/statistics/quantile.h"
#include "predict/clock_curve.h"
#include "predict/conformal.h"
#include "predict/fit.h"
#include "predict/library_habits.h"
#include "predict/placed_job.h"

namespace ergon::predict {
namespace {

// With so few rows an interval is never narrower.
constexpr double kLeastWidth = 0.12;

Observation observe(const NetworkSample& sample, const device::Specification& gpu) {
  const PlacedJob placed = place(as_twins_know_it(sample.job), gpu, usual_hosts(gpu));
  const auto activity = [&](Hertz clock) { return activity_of(placed, {}, gpu, clock); };
  const ClockCurve curve(gpu, activity, host_time(placed));
  const auto own = curve.settle(gpu, sample.clock.value_or(gpu.core.most), gpu.limit.usual);
  return {sample.job.network, kind_of(sample.job.condition),
          sums_of(own.kernels, host_time(placed), own.power, gpu), sample.time, sample.power};
}

// Operations by themselves tell how fast kernels are.
double ratio_of_operations(const TrainingData& data, const device::Specification& gpu) {
  std::vector<double> ratios;
  for (const OperationSample& sample : data.operations) {
    const PlacedTask placed(sample.task, sample.condition.precision, gpu);
    const Settled settled = settle(placed, gpu, sample.clock.value_or(gpu.core.most), gpu.limit.usual);
    const Seconds launch =
        sample.condition.mode == graph::Mode::training ? gpu.host.training : gpu.host.inference;
    if (settled.activity.gpu > launch) ratios.push_back(std::log((sample.time / settled.activity.gpu).si()));
  }
  return statistics::median(ratios).value_or(0);
}

Widths at_least(Widths widths) {
  return {std::max(widths.time, kLeastWidth), std::max(widths.power, kLeastWidth),
          std::max(widths.energy, kLeastWidth)};
}

}  // namespace

Result<Fitted> fit_few(const TrainingData& data, const device::Specification& gpu) {
  if (data.device != gpu.name)
    return fail(Errc::invalid_input, "the rows are of {}, not of {}", data.device, gpu.name);
  if (data.operations.empty() && data.networks.empty())
    return fail(Errc::invalid_input, "no rows of {} to calibrate with", gpu.name);
  Fitted fitted;
  Model& model = fitted.model;
  model.device = gpu.name;
  model.regime = Regime::calibrated;
  model.learner = "none";
  model.sources = data.sources;
  model.hosts = usual_hosts(gpu);
  if (data.networks.empty()) {
    const double kernels = ratio_of_operations(data, gpu);
    for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training})
      model.corrections.kinds[{mode, device::Precision::tf32}].kernels = kernels;
    return fitted;
  }
  std::vector<Observation> observations;
  for (const NetworkSample& sample : data.networks) observations.push_back(observe(sample, gpu));
  model.corrections = fit_corrections(observations, gpu);
  for (std::size_t i = 0; i < observations.size(); ++i) {
    std::vector<Observation> others;
    for (const Observation& other : observations) {
      if (other.network != observations[i].network) others.push_back(other);
    }
    const Corrections corrections = others.empty() ? Corrections{} : fit_corrections(others, gpu);
    const Observation& each = observations[i];
    const Whole whole = whole_of(each.sums, corrections.of(each.kind), corrections, gpu);
    fitted.held_back.push_back({each.network,
                                data.networks[i].job.condition,
                                whole.waits(),
                                whole.time,
                                each.time,
                                whole.power,
                                each.power,
                                0,
                                {}});
  }
  for (const auto& [host, pair] : widths_of(fitted.held_back))
    model.widths[host] = {at_least(pair.busy), at_least(pair.waiting)};
  for (HeldBack& each : fitted.held_back) each.widths = model.widths_of(each.condition.host, each.waits, 0);
  model.scores = scores_of(fitted.held_back);
  return fitted;
}

}  // namespace ergon::predict
