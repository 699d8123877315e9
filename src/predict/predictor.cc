#include "predict/predictor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "device/twin/estimate.h"
#include "predict/estimate/library_behavior.h"
#include "predict/learn/extrapolation.h"

namespace ergon::predict {
namespace {

// Half width of a twin without validation data, and the minimum half width with it.
constexpr double kUnvalidatedWidth = 0.35;
constexpr double kMinTwinWidth = 0.1;
// Below this share of the power limit, the limit does not lower the clock.
constexpr double kNearLimit = 0.96;
// Intervals grow by this factor times the share of time outside the training data.
constexpr double kExtrapolationFactor = 2;

template <typename Q>
PredictedValue<Q> around(Q value, double width) {
  return {value, value * std::exp(-width), value * std::exp(width)};
}

// The 90 % quantile of absolute errors is about twice their mean.
double twin_width(const device::Specification& gpu, std::string_view quantity) {
  double width = 0;
  for (const device::TableResidual& residual : gpu.residuals) {
    if (residual.quantity == quantity && residual.rows_held_out > 0)
      width = std::max(width, 2 * residual.mape_held_out);
  }
  return width > 0 ? std::max(width, kMinTwinWidth) : kUnvalidatedWidth;
}

IntervalWidths twin_widths(const device::Specification& gpu) {
  return {twin_width(gpu, "time"), twin_width(gpu, "power"), twin_width(gpu, "energy")};
}

// The network at the default clock: the reference point of the clock curve.
struct Anchor {
  Hertz clock;
  Seconds kernels, host;
  Watts power;
  bool host_bound = false;
};

Anchor learned_anchor(const Model& model, const Shrinkage& shrinkage, const Correction& correction,
                      const IterationEstimate& estimate, const ClockCurve& curve,
                      const device::Specification& gpu) {
  const NetworkCost cost =
      network_cost(sums_of(estimate.costs, shrinkage), correction, model.corrections, gpu);
  const bool limited = cost.power >= gpu.limit.default_limit * kNearLimit;
  const auto settled =
      limited ? curve.settle(gpu, gpu.core.max, gpu.limit.default_limit) : curve.at(gpu, gpu.core.max);
  return {settled.clock, cost.kernels, cost.host, cost.power, cost.host_bound()};
}

// The twin's prediction, corrected.
Anchor calibrated_anchor(const Model& model, const Correction& correction, const IterationEstimate& estimate,
                         const ClockCurve& curve, const device::Specification& gpu) {
  const auto settled = curve.settle(gpu, gpu.core.max, gpu.limit.default_limit);
  const NetworkCost cost = network_cost(sums_of(settled.kernels, host_time(estimate), settled.power, gpu),
                                        correction, model.corrections, gpu);
  return {settled.clock, cost.kernels, cost.host, cost.power, cost.host_bound()};
}

// A warning if neither the requested launch host nor a similar one was measured.
std::optional<std::string> host_warning(const Model* model, LaunchHost requested) {
  const auto is_similar = [&](const auto& each) { return similarity(requested, each.first.host) > 0; };
  const bool measured = model == nullptr ? similarity(requested, LaunchHost::python) > 0
                                         : model->corrections.by_config.empty() ||
                                               std::any_of(model->corrections.by_config.begin(),
                                                           model->corrections.by_config.end(), is_similar);
  if (measured) return std::nullopt;
  return fmt::format("launch host {} was not measured; using another host's launch overhead",
                     name_of(requested));
}

}  // namespace

Prediction PreparedNetwork::predict(const device::ClockAndLimit& setting) const {
  const auto point = curve_.settle(*gpu_, setting.clock.value_or(gpu_->core.max),
                                   setting.limit.value_or(gpu_->limit.default_limit));
  const Joules energy = point.power * point.time;
  Prediction prediction;
  prediction.source = source_;
  prediction.clock = point.clock;
  prediction.limited = point.limited;
  prediction.limit_held = point.limit_held;
  prediction.host_bound = is_host_bound(point.kernels, point.host);
  prediction.time = around(point.time, widths_.time);
  prediction.power = around(point.power, widths_.power);
  prediction.energy = around(energy, widths_.energy);
  prediction.energy_per_sample =
      around(energy / static_cast<double>(iteration_->config.batch), widths_.energy);
  prediction.energy_delay = around(energy * point.time, widths_.energy + widths_.time);
  return prediction;
}

std::vector<OperationPrediction> PreparedNetwork::operations(const device::ClockAndLimit& setting) const {
  const Prediction whole = predict(setting);
  std::vector<OperationPrediction> all;
  Seconds kernels;
  Joules energy;
  for (std::size_t i = 0; i < iteration_->tasks.size(); ++i) {
    const Task& task = iteration_->tasks[i];
    const TaskCost& cost = estimate_.costs[i];
    const device::Activity there = estimate_.tasks[i].at(whole.clock, *gpu_);
    OperationPrediction each{task.kind, task.description, task.count, {}, {}};
    each.time =
        there.gpu * (cost.count * std::exp(ratio_weight(cost, shrinkage_) * cost.time_ratio + cost.shift));
    each.energy =
        each.time * device::equilibrium_of(there, *gpu_, whole.clock).power * std::exp(cost.power_ratio);
    kernels += each.time;
    energy += each.energy;
    all.push_back(std::move(each));
  }
  // Scaled so that operations add up to the network, host-bound time included.
  for (OperationPrediction& each : all) {
    each.time *= (whole.time.value / kernels).si();
    each.energy *= (whole.energy.value / energy).si();
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.energy > b.energy; });
  return all;
}

void PreparedNetwork::calibrate(const Model& model) {
  const device::Specification& gpu = *gpu_;
  const Correction correction = model.corrections.of(key_of(iteration_->config));
  const Anchor anchor = model.time.empty()
                            ? calibrated_anchor(model, correction, estimate_, curve_, gpu)
                            : learned_anchor(model, shrinkage_, correction, estimate_, curve_, gpu);
  curve_.set_host(anchor.host);
  curve_.set_kernels(gpu, anchor.clock, anchor.kernels);
  curve_.set_power(gpu, anchor.clock, anchor.power);
  measured_share_ = predict::measured_share(estimate_.costs, shrinkage_);
  widths_ = model.widths_of(iteration_->config.host, anchor.host_bound, measured_share_);
  if (model.time.empty()) return;
  std::vector<Seconds> times;
  for (const TaskCost& cost : estimate_.costs) times.push_back(kernel_time(cost, shrinkage_));
  Extrapolation extrapolation = extrapolation_of(*iteration_, times, model.range);
  widths_ = widths_.times(1 + kExtrapolationFactor * extrapolation.share);
  warnings_ = std::move(extrapolation.warnings);
}

Predictor::Predictor(device::Specification gpu)
    : gpu_(std::make_shared<const device::Specification>(std::move(gpu))) {}

Result<Predictor> Predictor::with(device::Specification gpu, Model model) {
  if (model.device != gpu.name)
    return fail(Errc::invalid_input, "the model was fitted for {}, not for {}", model.device, gpu.name);
  Predictor predictor(std::move(gpu));
  predictor.model_ = std::make_shared<const Model>(std::move(model));
  return predictor;
}

Result<PreparedNetwork> Predictor::prepare(const graph::Network& network,
                                           const WorkloadConfig& config) const {
  auto iteration = iteration_of(network, config);
  if (!iteration) return iteration.error();
  return prepare(std::move(*iteration));
}

bool Predictor::simulated(const device::ClockAndLimit& setting) const {
  return !model_ || model_->simulated() || setting.clock || setting.limit;
}

Result<PreparedNetwork> Predictor::prepare(Iteration iteration) const {
  const device::Specification& gpu = *gpu_;
  const WorkloadConfig& config = iteration.config;
  const auto memory = device::memory_on({iteration.network,
                                         config.batch,
                                         config.mode,
                                         config.precision,
                                         {},
                                         iteration.weights,
                                         iteration.activations},
                                        gpu);
  if (!memory) return memory.error();
  PreparedNetwork prepared;
  prepared.gpu_ = gpu_;
  prepared.memory_ = *memory;
  prepared.widths_ = twin_widths(gpu);
  if (!model_ || model_->time.empty()) iteration = without_broadcast_cost(std::move(iteration));
  prepared.estimate_ =
      estimate_iteration(iteration, gpu, model_ ? model_->launch_overhead : default_launch_overhead(gpu));
  if (model_) {
    prepared.source_ = model_->source;
    prepared.shrinkage_ = model_->shrinkage_for(config.mode);
    if (!model_->time.empty())
      add_learned_ratios(prepared.estimate_, iteration, gpu,
                         {model_->time, model_->power, model_->kinds(), model_->operations});
    const Correction correction = model_->corrections.of(key_of(config));
    for (TaskCost& cost : prepared.estimate_.costs) cost.shift = correction.shift_of(cost.operation_class);
  }
  const auto activity = [&](Hertz clock) {
    return activity_of(prepared.estimate_, prepared.shrinkage_, gpu, clock);
  };
  prepared.curve_ = ClockCurve(gpu, activity, host_time(prepared.estimate_));
  prepared.iteration_ = std::make_shared<const Iteration>(std::move(iteration));
  if (model_) prepared.calibrate(*model_);
  if (auto warning = host_warning(model_.get(), prepared.config().host))
    prepared.warnings_.push_back(std::move(*warning));
  return prepared;
}

}  // namespace ergon::predict
