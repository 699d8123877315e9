// Calibration with a handful of rows: the shape comes from the twin, the scale from the rows.

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/statistics/quantile.h"
#include "device/twin/parameter_digest.h"
#include "predict/clock_curve.h"
#include "predict/estimate/iteration_estimate.h"
#include "predict/estimate/library_behavior.h"
#include "predict/learn/conformal.h"
#include "predict/learn/fit.h"
#include "predict/twin_widths.h"

namespace ergon::predict {
namespace {

NetworkObservation observe(const NetworkSample& sample, const device::Specification& gpu) {
  const IterationEstimate estimate =
      estimate_iteration(without_broadcast_cost(sample.iteration), gpu, default_launch_overhead(gpu));
  const auto activity = [&](Hertz clock) { return activity_of(estimate, {}, gpu, clock); };
  const ClockCurve curve(gpu, activity, host_time(estimate));
  const auto settled = curve.settle(gpu, sample.clock.value_or(gpu.core.max), gpu.limit.default_limit);
  return {sample.iteration.network, key_of(sample.iteration.config),
          sums_of(settled.kernels, host_time(estimate), settled.power, gpu), sample.time, sample.power};
}

// Median log ratio of measured to estimated kernel time.
double ratio_of_operations(const TrainingData& data, const device::Specification& gpu) {
  std::vector<double> ratios;
  for (const OperationSample& sample : data.operations) {
    const TaskEstimate estimate(sample.task, sample.config.precision, gpu);
    const Settled settled =
        settle(estimate, gpu, sample.clock.value_or(gpu.core.max), gpu.limit.default_limit);
    const Seconds launch =
        sample.config.mode == graph::Mode::training ? gpu.host.training : gpu.host.inference;
    if (settled.activity.gpu > launch) ratios.push_back(std::log((sample.time / settled.activity.gpu).si()));
  }
  return statistics::median(ratios).value_or(0);
}

IntervalWidths at_least(double width, const IntervalWidths& widths) {
  return {std::max(widths.time, width), std::max(widths.power, width), std::max(widths.energy, width)};
}

// Errors of GPU-bound networks say nothing about host-bound ones, and the other way around.
std::map<LaunchHost, WidthPair> widths_with_minimum(const std::vector<HeldOutNetwork>& held_out) {
  std::map<LaunchHost, WidthPair> widths = widths_of(held_out);
  for (auto& [host, pair] : widths) {
    const auto minimum = [&, of = host](bool host_bound) {
      const bool measured = std::any_of(held_out.begin(), held_out.end(), [&](const HeldOutNetwork& each) {
        return each.config.host == of && each.host_bound == host_bound;
      });
      return measured ? kMinNetworkWidth : kUnvalidatedWidth;
    };
    pair = {at_least(minimum(false), pair.gpu_bound), at_least(minimum(true), pair.host_bound)};
  }
  return widths;
}

}  // namespace

Result<FitResult> fit_few(const TrainingData& data, const device::Specification& gpu) {
  if (data.device != gpu.name)
    return fail(Errc::invalid_input, "the rows were measured on {}, not on {}", data.device, gpu.name);
  if (data.operations.empty() && data.networks.empty())
    return fail(Errc::invalid_input, "no rows of {} to calibrate with", gpu.name);
  FitResult fitted;
  Model& model = fitted.model;
  model.device = gpu.name;
  model.device_parameters = device::parameter_digest(gpu);
  model.source = PredictionSource::calibrated;
  model.learner = "none";
  model.training_sources = data.sources;
  model.launch_overhead = default_launch_overhead(gpu);
  if (data.networks.empty()) {
    const double kernels = ratio_of_operations(data, gpu);
    for (const graph::Mode mode : {graph::Mode::inference, graph::Mode::training})
      model.corrections.by_config[{mode, device::Precision::tf32}].kernels = kernels;
    model.widths[LaunchHost::python] = {kUnvalidatedWidths, kUnvalidatedWidths};
    return fitted;
  }
  std::vector<NetworkObservation> observations;
  for (const NetworkSample& sample : data.networks) observations.push_back(observe(sample, gpu));
  model.corrections = fit_corrections(observations, gpu);
  for (std::size_t i = 0; i < observations.size(); ++i) {
    std::vector<NetworkObservation> others;
    for (const NetworkObservation& other : observations) {
      if (other.network != observations[i].network) others.push_back(other);
    }
    const Corrections corrections = others.empty() ? Corrections{} : fit_corrections(others, gpu);
    const NetworkObservation& each = observations[i];
    const NetworkCost cost = network_cost(each.sums, corrections.of(each.key), corrections, gpu);
    fitted.held_out.push_back({each.network,
                               data.networks[i].iteration.config,
                               cost.host_bound(),
                               cost.time,
                               each.time,
                               cost.power,
                               each.power,
                               0,
                               {}});
  }
  model.widths = widths_with_minimum(fitted.held_out);
  for (HeldOutNetwork& each : fitted.held_out)
    each.widths = model.widths_of(each.config.host, each.host_bound, 0);
  model.scores = scores_of(fitted.held_out);
  return fitted;
}

}  // namespace ergon::predict
