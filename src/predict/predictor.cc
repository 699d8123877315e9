#include "predict/predictor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "device/twin/estimate.h"
#include "predict/familiarity.h"
#include "predict/library_habits.h"

namespace ergon::predict {
namespace {

// What a twin that was compared with nothing may be off by.
constexpr double kUnknownWidth = 0.35;
constexpr double kLeastTwinWidth = 0.1;
// A network that draws less than this share of the limit is not held down by it.
constexpr double kNearLimit = 0.96;
// Intervals grow by this much of what is outside the range.
constexpr double kStrangeness = 2;

template <typename Q>
Expected<Q> around(Q value, double width) {
  return {value, value * std::exp(-width), value * std::exp(width)};
}

// Nine of ten errors are within about twice their mean.
double twin_width(const device::Specification& gpu, std::string_view quantity) {
  double width = 0;
  for (const device::Residual& residual : gpu.residuals) {
    if (residual.quantity == quantity && residual.rows_held_back > 0)
      width = std::max(width, 2 * residual.mape_held_back);
  }
  return width > 0 ? std::max(width, kLeastTwinWidth) : kUnknownWidth;
}

Widths twin_widths(const device::Specification& gpu) {
  return {twin_width(gpu, "time"), twin_width(gpu, "power"), twin_width(gpu, "energy")};
}

// What the network as a whole is expected to do at the GPU's own clock.
struct Anchor {
  Hertz clock;
  Seconds kernels, host;
  Watts power;
  bool waits = false;
};

Anchor learned_anchor(const Model& model, const Trust& trust, const Correction& correction,
                      const PlacedJob& placed, const ClockCurve& curve, const device::Specification& gpu) {
  const Whole whole = whole_of(sums_of(placed.parts, trust), correction, model.corrections, gpu);
  const bool held = whole.power >= gpu.limit.usual * kNearLimit;
  const auto own = held ? curve.settle(gpu, gpu.core.most, gpu.limit.usual) : curve.at(gpu, gpu.core.most);
  return {own.clock, whole.kernels, whole.host, whole.power, whole.waits()};
}

// A twin's own answer, moved.
Anchor moved_anchor(const Model& model, const Correction& correction, const PlacedJob& placed,
                    const ClockCurve& curve, const device::Specification& gpu) {
  const auto own = curve.settle(gpu, gpu.core.most, gpu.limit.usual);
  const Whole whole =
      whole_of(sums_of(own.kernels, host_time(placed), own.power, gpu), correction, model.corrections, gpu);
  return {own.clock, whole.kernels, whole.host, whole.power, whole.waits()};
}

// A question about a host that nobody measured is answered by another one, and says so unless they are alike.
std::optional<std::string> stranger(const Model* model, Host asked) {
  const auto is_asked = [&](const auto& each) { return likeness(asked, each.first.host) > 0; };
  const bool known = model == nullptr ? likeness(asked, Host::python) > 0
                                      : model->corrections.kinds.empty() ||
                                            std::any_of(model->corrections.kinds.begin(),
                                                        model->corrections.kinds.end(), is_asked);
  if (known) return std::nullopt;
  return fmt::format("nothing is known of a {} host, this is another's", name_of(asked));
}

}  // namespace

Forecast Outlook::at(const device::Setting& setting) const {
  const auto point = curve_.settle(*gpu_, setting.clock.value_or(gpu_->core.most),
                                   setting.limit.value_or(gpu_->limit.usual));
  const Joules energy = point.power * point.time;
  Forecast forecast;
  forecast.regime = regime_;
  forecast.clock = point.clock;
  forecast.limited = point.limited;
  forecast.kept = point.kept;
  forecast.host_bound = waits_for_host(point.kernels, point.host);
  forecast.time = around(point.time, widths_.time);
  forecast.power = around(point.power, widths_.power);
  forecast.energy = around(energy, widths_.energy);
  forecast.energy_per_sample = around(energy / static_cast<double>(job_->condition.batch), widths_.energy);
  forecast.energy_delay = around(energy * point.time, widths_.energy + widths_.time);
  return forecast;
}

std::vector<OperationForecast> Outlook::operations(const device::Setting& setting) const {
  const Forecast whole = at(setting);
  std::vector<OperationForecast> all;
  Seconds kernels;
  Joules energy;
  for (std::size_t i = 0; i < job_->tasks.size(); ++i) {
    const Task& task = job_->tasks[i];
    const Part& part = placed_.parts[i];
    const device::Activity there = placed_.tasks[i].at(whole.clock, *gpu_);
    OperationForecast each{task.kind, task.description, task.count, {}, {}};
    each.time = there.gpu * (part.count * std::exp(believed(part, trust_) * part.time_ratio + part.shift));
    each.energy =
        each.time * device::equilibrium_of(there, *gpu_, whole.clock).power * std::exp(part.power_ratio);
    kernels += each.time;
    energy += each.energy;
    all.push_back(std::move(each));
  }
  // Waiting is shared out, so that the parts add up to the whole.
  for (OperationForecast& each : all) {
    each.time *= (whole.time.value / kernels).si();
    each.energy *= (whole.energy.value / energy).si();
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.energy > b.energy; });
  return all;
}

void Outlook::settle_on(const Model& model) {
  const device::Specification& gpu = *gpu_;
  const Correction correction = model.corrections.of(kind_of(job_->condition));
  const Anchor anchor = model.time.empty() ? moved_anchor(model, correction, placed_, curve_, gpu)
                                           : learned_anchor(model, trust_, correction, placed_, curve_, gpu);
  curve_.set_host(anchor.host);
  curve_.set_kernels(gpu, anchor.clock, anchor.kernels);
  curve_.set_power(gpu, anchor.clock, anchor.power);
  known_share_ = predict::known_share(placed_.parts, trust_);
  widths_ = model.widths_of(job_->condition.host, anchor.waits, known_share_);
  if (model.time.empty()) return;
  std::vector<Seconds> times;
  for (const Part& part : placed_.parts) times.push_back(kernel_time(part, trust_));
  Familiarity familiarity = familiarity_of(*job_, times, model.range);
  widths_ = widths_.times(1 + kStrangeness * familiarity.strange);
  warnings_ = std::move(familiarity.warnings);
}

Predictor::Predictor(device::Specification gpu)
    : gpu_(std::make_shared<const device::Specification>(std::move(gpu))) {}

Result<Predictor> Predictor::with(device::Specification gpu, Model model) {
  if (model.device != gpu.name)
    return fail(Errc::invalid_input, "the model is of {}, not of {}", model.device, gpu.name);
  Predictor predictor(std::move(gpu));
  predictor.model_ = std::make_shared<const Model>(std::move(model));
  return predictor;
}

Result<Outlook> Predictor::prepare(const graph::Network& network, const Condition& condition) const {
  auto job = job_of(network, condition);
  if (!job) return job.error();
  return prepare(std::move(*job));
}

Result<Outlook> Predictor::prepare(Job job) const {
  const device::Specification& gpu = *gpu_;
  const Condition& condition = job.condition;
  const auto memory = device::memory_on(
      {job.network, condition.batch, condition.mode, condition.precision, {}, job.weights, job.activations},
      gpu);
  if (!memory) return memory.error();
  Outlook outlook;
  outlook.gpu_ = gpu_;
  outlook.memory_ = *memory;
  outlook.widths_ = twin_widths(gpu);
  if (!model_ || model_->time.empty()) job = as_twins_know_it(std::move(job));
  outlook.placed_ = place(job, gpu, model_ ? model_->hosts : usual_hosts(gpu));
  if (model_) {
    outlook.regime_ = model_->regime;
    outlook.trust_ = model_->trust_in(condition.mode);
    if (!model_->time.empty())
      learn(outlook.placed_, job, gpu, {model_->time, model_->power, model_->kinds(), model_->operations});
    const Correction correction = model_->corrections.of(kind_of(condition));
    for (Part& part : outlook.placed_.parts) part.shift = correction.shift_of(part.sort);
  }
  const auto activity = [&](Hertz clock) { return activity_of(outlook.placed_, outlook.trust_, gpu, clock); };
  outlook.curve_ = ClockCurve(gpu, activity, host_time(outlook.placed_));
  outlook.job_ = std::make_shared<const Job>(std::move(job));
  if (model_) outlook.settle_on(*model_);
  if (auto warning = stranger(model_.get(), outlook.condition().host))
    outlook.warnings_.push_back(std::move(*warning));
  return outlook;
}

}  // namespace ergon::predict
