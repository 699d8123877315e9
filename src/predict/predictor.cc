#include "predict/predictor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/internal_error.h"
#include "device/twin/estimate.h"
#include "device/twin/estimate_notes.h"
#include "predict/estimate/library_behavior.h"
#include "predict/learn/extrapolation.h"
#include "predict/sanity.h"
#include "predict/twin_widths.h"

namespace ergon::predict {
namespace {

// Below this share of the power limit, the limit does not lower the clock.
constexpr double kNearLimit = 0.96;
// Intervals grow by this factor times the share of time outside the training data.
constexpr double kExtrapolationFactor = 2;
// Half width of operations on data types that are not modeled: int8 has up to four times the rate of 32 bits,
// and float64 on some GPUs a small part of it.
constexpr double kUnmodeledWidth = 1.39;

template <typename Q>
PredictedValue<Q> around(Q value, double width) {
  return {value, value * std::exp(-width), value * std::exp(width)};
}

// Power lies between that of an idle GPU and what the board holds: the power limit, or the lowest one that it
// can hold.
void bound_power(Prediction& prediction, Watts limit, const device::Specification& gpu) {
  PredictedValue<Watts>& power = prediction.power;
  const Watts held = std::max(limit, gpu.limit.holds_from);
  constexpr double kRounding = 1 + 1e-9;
  if (power.value <= held * kRounding) {
    power.value = std::min(power.value, held);
    power.high = std::min(power.high, held);
  }
  power.low = std::max(power.low, std::min(gpu.power.bare, power.value));
  // Energy is not beyond the slowest run at the highest power, or the fastest at the lowest.
  const PredictedValue<Seconds>& time = prediction.time;
  const auto bound_energy = [&](PredictedValue<Joules>& energy, double samples) {
    energy.low = std::max(energy.low, power.low * time.low / samples);
    energy.high = std::min(energy.high, power.high * time.high / samples);
  };
  bound_energy(prediction.energy, 1);
  bound_energy(prediction.energy_per_sample,
               (prediction.energy.value / prediction.energy_per_sample.value).si());
  PredictedValue<JouleSeconds>& delay = prediction.energy_delay;
  delay.low = std::max(delay.low, prediction.energy.low * time.low);
  delay.high = std::min(delay.high, prediction.energy.high * time.high);
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

// A warning if the file is faster than the module that it was exported from.
std::optional<std::string> folding_warning(const Iteration& iteration) {
  if (iteration.folded_batch_norms == 0) return std::nullopt;
  return fmt::format(
      "{} batch norms of the file are folded into convolutions; PyTorch runs the module with separate batch "
      "norms and needs longer",
      iteration.folded_batch_norms);
}

}  // namespace

Prediction PreparedNetwork::predict(const device::ClockAndLimit& setting) const {
  const Watts limit = setting.limit.value_or(gpu_->limit.default_limit);
  const auto point = curve_.settle(*gpu_, setting.clock.value_or(gpu_->core.max), limit);
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
  bound_power(prediction, limit, *gpu_);
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

Result<> PreparedNetwork::check(const device::ClockAndLimit& setting) const {
  const Prediction whole = predict(setting);
  const Watts limit = setting.limit.value_or(gpu_->limit.default_limit);
  if (auto fine = check_sanity(whole, *gpu_, limit); !fine) return fine;
  Seconds time;
  Joules energy;
  for (const OperationPrediction& each : operations(setting)) {
    time += each.time;
    energy += each.energy;
  }
  constexpr double kRounding = 1e-6;
  const double times = (time / whole.time.value).si(), energies = (energy / whole.energy.value).si();
  if (std::abs(times - 1) < kRounding && std::abs(energies - 1) < kRounding) return {};
  return internal_error("the operations of {} on {} add up to {} times its time and {} times its energy",
                        iteration_->network, gpu_->name, times, energies);
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
  const WorkloadConfig& config = iteration_->config;
  if (model.time.empty()) {
    widths_ = calibrated_widths(model, gpu, config, anchor.host_bound);
    width_warning_ = calibrated_width_warning(model, gpu, config);
  } else {
    widths_ = model.widths_of(config.host, anchor.host_bound, measured_share_);
  }
}

void PreparedNetwork::use_twin_widths() {
  const auto point = curve_.settle(*gpu_, gpu_->core.max, gpu_->limit.default_limit);
  const bool host_bound = is_host_bound(point.kernels, point.host);
  widths_ = twin_widths(*gpu_, iteration_->config, host_bound);
  width_warning_ = twin_width_warning(*gpu_, iteration_->config, host_bound);
}

void PreparedNetwork::widen(const TrainingRange* range) {
  std::vector<Seconds> times;
  for (std::size_t i = 0; i < estimate_.tasks.size(); ++i) {
    times.push_back(range != nullptr
                        ? kernel_time(estimate_.costs[i], shrinkage_)
                        : estimate_.tasks[i].at(gpu_->core.max, *gpu_).gpu * estimate_.costs[i].count);
  }
  const Extrapolation extrapolation = extrapolation_of(*iteration_, times, range);
  widths_ = widths_.times(1 + kExtrapolationFactor * extrapolation.share)
                .plus(kUnmodeledWidth * extrapolation.unmodeled_share);
  warnings_.insert(warnings_.end(), extrapolation.warnings.begin(), extrapolation.warnings.end());
}

Predictor::Predictor(device::Specification gpu)
    : gpu_(std::make_shared<const device::Specification>(std::move(gpu))) {}

Result<Predictor> Predictor::with(device::Specification gpu, Model model) {
  if (model.device != gpu.name)
    return fail(Errc::invalid_input, "the model was fitted for {}, not for {}", model.device, gpu.name);
  if (!model.fits(gpu))
    return fail(Errc::invalid_input,
                "the model was fitted with other parameters of {}; run `ergon fit` with this device file",
                gpu.name);
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
  if (std::all_of(iteration.tasks.begin(), iteration.tasks.end(),
                  [](const Task& task) { return task.forward.empty() && task.backward.empty(); }))
    return fail(Errc::invalid_input, "{} launches no kernel; there is nothing to predict", iteration.network);
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
  if (model_) {
    prepared.calibrate(*model_);
  } else {
    prepared.use_twin_widths();
  }
  prepared.widen(model_ && !model_->time.empty() ? &model_->range : nullptr);
  if (auto warning = device::unsupported_warning(gpu, prepared.config().precision))
    prepared.warnings_.push_back(std::move(*warning));
  if (auto warning = folding_warning(*prepared.iteration_)) prepared.warnings_.push_back(std::move(*warning));
  if (prepared.width_warning_) prepared.warnings_.push_back(*prepared.width_warning_);
  if (auto warning = host_warning(model_.get(), prepared.config().host))
    prepared.warnings_.push_back(std::move(*warning));
  return prepared;
}

}  // namespace ergon::predict
