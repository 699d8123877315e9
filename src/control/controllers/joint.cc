#include "control/controllers/joint.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/contract.h"

namespace ergon::control {
namespace {

// Minimum relative gain for a change: during the search, and after kSearchDecisions.
constexpr double kMinGain = 0.007, kMinGainSettled = 0.025;
constexpr int kSearchDecisions = 7;
// Window of the running mean at a point, in decisions.
constexpr int kMeanWindow = 6;
// Throughput within this share counts as equal: the smaller batch is preferred.
constexpr double kEqual = 0.003;
// Relative deviation of the energy at a measured point, and of one measurement.
constexpr double kMeasuredDeviation = 0.004, kReadingDeviation = 0.01;
// Drift of a measured point that inflates the uncertainty of all points, and by how much of the prior
// variance.
constexpr double kDrift = 0.02, kInflation = 0.02;
// Temperature change that inflates the uncertainty: leakage has changed.
constexpr Kelvins kTemperatureChange{5};
// Lower bound of the power above idle, which is used in logarithms.
constexpr Watts kMinPowerAboveIdle{1};
// Relative change of power at a measured point after which excluded points may be tried again, and after
// which all models are reset (another network, or wrong readings). Single readings of an H200 scatter by up
// to 0.1.
constexpr double kRetryChange = 0.15, kResetChange = 0.3;

// Prior deviations of the weights of 1, log(batch), log(batch)^2 / 4 and log(clock).
constexpr BayesianLinearModel::Features kTwinEnergy{0.25, 0.08, 0.03, 0.15},
    kGenericEnergy{1.0, 0.35, 0.12, 0.6};
// Prior deviations of the kernel factor, its slopes in batch and clock, and the host factor.
constexpr BatchTimeModel::Weights kTwinTime{0.2, 0.04, 0.1, 0.5}, kGenericTime{3, 0.15, 0.3, 3};
// Deviation of the energy model's residuals: initial (and minimum), maximum, and smoothing of its update.
constexpr double kTwinResidual = 0.02, kGenericResidual = 0.04, kMaxResidual = 0.15, kSmoothing = 0.3;
// Width of the upper power bound in standard deviations: small in the first decisions, because one decision
// above the cap costs less than staying below the optimum.
constexpr int kBoldDecisions = 5;
constexpr double kBoldDeviations = 0.1, kDeviations = 1;
// Maximum growth factor over the largest measured batch: the model extrapolates badly after one measurement.
// Not used with a generic prior, which needs large steps to learn.
constexpr double kMaxGrowth = 8;
// Exploration: a batch with this much more throughput is tried although the model puts it slightly above the
// limit, if the current point has this headroom. At most kMaxExplorations times, in the given decisions.
constexpr double kExploreGain = 1.05, kExploreHeadroom = 1.06, kExploreExcess = 1.08;
constexpr int kMaxExplorations = 2, kExploreFrom = 2, kExploreUntil = 6;
// A point with this many violations is excluded until the cap is higher by this factor.
constexpr int kMaxViolations = 2;
constexpr double kRetryCap = 1.01;
// After a violation: the limit is lowered by this factor and the upper power bound is wider.
constexpr double kAfterViolation = 0.985, kSafeDeviations = 2;

}  // namespace

Joint::Joint(Settings settings, const Surface& prior)
    : settings_(std::move(settings)),
      batch_time_(settings_.source == PriorSource::twin ? kTwinTime : kGenericTime),
      energy_(settings_.source == PriorSource::twin ? kTwinEnergy : kGenericEnergy),
      min_residual_deviation_(settings_.source == PriorSource::twin ? kTwinResidual : kGenericResidual),
      residual_deviation_(min_residual_deviation_) {
  const auto& [batches, clocks] = settings_.knobs;
  ERGON_EXPECTS(!batches.empty());
  max_batch_index_ = batches.size() - 1;
  middle_batch_ = std::sqrt(static_cast<double>(batches.front()) * static_cast<double>(batches.back()));
  if (!clocks.empty()) highest_clock_ = clocks.back();
  // Evaluated once per point; decisions only apply the learned corrections.
  for (std::size_t clock = 0; clock < std::max<std::size_t>(1, clocks.size()); ++clock) {
    for (std::size_t batch = 0; batch < batches.size(); ++batch)
      priors_.push_back(prior_of(point_at({batch, clock}), prior));
  }
}

Joint::Prior Joint::prior_of(const Point& point, const Surface& surface) const {
  const Expectation expected = surface.at(point);
  const double batch = std::log(static_cast<double>(point.batch) / middle_batch_);
  const double clock = point.clock ? std::log((*point.clock / *highest_clock_).si()) : 0;
  Prior prior;
  prior.energy_features = {1, batch, batch * batch / 4, clock};
  prior.time_features = {std::log(expected.time.si()), std::nullopt, batch, clock};
  // If the parts are unknown, all of the time is kernel time.
  if (expected.gpu > Seconds{0} && expected.host > Seconds{0}) {
    prior.time_features.log_kernel_seconds = std::log(expected.gpu.si());
    prior.time_features.log_host_seconds = std::log(expected.host.si());
  }
  const Joules energy = std::max(kMinPowerAboveIdle, expected.power - settings_.idle) * expected.time;
  prior.log_joules = std::log(energy.si());
  return prior;
}

Point Joint::point_at(const KnobIndex& index) const {
  const auto& [batches, clocks] = settings_.knobs;
  return {batches[index.batch], clocks.empty() ? std::nullopt : std::optional(clocks[index.clock])};
}

Joint::KnobIndex Joint::index_of(const Point& point) const {
  const auto index = [](const auto& ascending, const auto& value) {
    const auto found = std::lower_bound(ascending.begin(), ascending.end(), value);
    return static_cast<std::size_t>(std::min(found, ascending.end() - 1) - ascending.begin());
  };
  const auto& [batches, clocks] = settings_.knobs;
  return {index(batches, point.batch),
          clocks.empty() ? 0 : index(clocks, point.clock.value_or(clocks.back()))};
}

const Joint::Prior& Joint::prior_at(const KnobIndex& index) const {
  return priors_[index.clock * settings_.knobs.batches.size() + index.batch];
}

Joint::PointEstimate Joint::estimate(const KnobIndex& index) const {
  const Prior& prior = prior_at(index);
  double time = batch_time_.predict_log_seconds(prior.time_features);
  auto [energy, deviation] = energy_.predict(prior.energy_features);
  const auto known = measured_.find({index.batch, index.clock});
  if (known != measured_.end()) {
    time += known->second.time;
    energy += known->second.energy;
    deviation = kMeasuredDeviation;
  } else {
    deviation = std::hypot(deviation, residual_deviation_);
  }
  const Watts above_idle{std::exp(prior.log_joules + energy - time)};
  return {point_at(index), Seconds{std::exp(time)}, settings_.idle + above_idle,
          settings_.idle + above_idle * std::exp(deviations_ * deviation)};
}

bool Joint::fits(const PointEstimate& estimate, Watts limit) const {
  if (settings_.latency && estimate.time > *settings_.latency) return false;
  return estimate.max_power <= limit;
}

bool Joint::is_excluded(const KnobIndex& index) const {
  return std::ranges::any_of(violations_, [&](const ViolationRecord& each) {
    return each.count >= kMaxViolations && cap_ < each.cap * kRetryCap && each.index.batch <= index.batch &&
           each.index.clock <= index.clock;
  });
}

void Joint::record_violation(const KnobIndex& index) {
  auto known = std::ranges::find_if(violations_, [&](const ViolationRecord& each) {
    return each.index.batch == index.batch && each.index.clock == index.clock;
  });
  if (known == violations_.end()) known = violations_.insert(violations_.end(), {index, 0, cap_});
  ++known->count;
  known->cap = std::max(known->cap, cap_);
}

std::optional<Joint::PointEstimate> Joint::best_at(std::size_t clock, Watts limit) const {
  if (!fits(estimate({0, clock}), limit) || is_excluded({0, clock})) return std::nullopt;
  // Bisection: power and latency rise with the batch; throughput rises and then saturates.
  std::size_t low = 0, high = max_batch_index_ + 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const bool possible = !is_excluded({middle, clock}) && fits(estimate({middle, clock}), limit);
    (possible ? low : high) = middle;
  }
  PointEstimate chosen = estimate({low, clock});
  const double enough = chosen.throughput() * (1 - kEqual);
  for (std::size_t less = 0, more = low; less < more;) {
    const std::size_t middle = (less + more) / 2;
    const PointEstimate smaller = estimate({middle, clock});
    if (smaller.throughput() < enough) {
      less = middle + 1;
      continue;
    }
    more = middle;
    if (fits(smaller, limit)) chosen = smaller;
  }
  return chosen;
}

std::optional<Joint::PointEstimate> Joint::exploration_candidate(const PointEstimate& here,
                                                                 Watts limit) const {
  if (decisions_ < kExploreFrom || decisions_ > kExploreUntil || explorations_ == kMaxExplorations)
    return std::nullopt;
  KnobIndex index = index_of(here.point);
  if (++index.batch >= settings_.knobs.batches.size() || measured_.contains({index.batch, index.clock}) ||
      is_excluded(index))
    return std::nullopt;
  const PointEstimate more = estimate(index);
  const bool late = settings_.latency && more.time > *settings_.latency;
  const bool promising = more.throughput() > here.throughput() * kExploreGain &&
                         here.power * kExploreHeadroom < limit && more.power < limit * kExploreExcess;
  return promising && !late ? std::optional(more) : std::nullopt;
}

Point Joint::best_measured(Watts limit) const {
  std::optional<PointEstimate> found;
  for (const auto& [key, residual] : measured_) {
    const PointEstimate known = estimate({key.first, key.second});
    if (known.power > limit || is_excluded({key.first, key.second})) continue;
    if (!found || known.throughput() > found->throughput()) found = known;
  }
  return found ? found->point : safest_point(settings_.knobs);
}

std::optional<Joint::PointEstimate> Joint::best(Watts limit) const {
  std::optional<PointEstimate> found;
  const auto consider = [&](const std::optional<PointEstimate>& other) {
    if (other && (!found || other->throughput() > found->throughput())) found = other;
  };
  for (std::size_t clock = 0; clock < std::max<std::size_t>(1, settings_.knobs.clocks.size()); ++clock)
    consider(best_at(clock, limit));
  for (const auto& [key, residual] : measured_) {
    const KnobIndex index{key.first, key.second};
    if (const PointEstimate known = estimate(index); fits(known, limit) && !is_excluded(index))
      consider(known);
  }
  return found;
}

std::optional<Joint::PointEstimate> Joint::fastest(Watts limit) const {
  std::optional<PointEstimate> found;
  for (std::size_t clock = 0; clock < std::max<std::size_t>(1, settings_.knobs.clocks.size()); ++clock) {
    const PointEstimate here = estimate({0, clock});
    if (here.max_power <= limit && (!found || here.time < found->time)) found = here;
  }
  return found;
}

void Joint::update_temperature(const std::optional<Celsius>& temperature) {
  if (!temperature) return;
  if (temperature_) {
    const Kelvins change = *temperature - *temperature_;
    if (std::max(change, -change) < kTemperatureChange) return;
  }
  if (temperature_) {
    energy_.inflate_variance(kInflation);
    decisions_ = std::min(decisions_, kSearchDecisions);
  }
  temperature_ = temperature;
}

void Joint::reset_models() {
  const bool twin = settings_.source == PriorSource::twin;
  batch_time_ = BatchTimeModel(twin ? kTwinTime : kGenericTime);
  energy_ = BayesianLinearModel(twin ? kTwinEnergy : kGenericEnergy);
  residual_deviation_ = min_residual_deviation_;
  measured_.clear();
}

void Joint::update_models(const Feedback& feedback) {
  margin_.add_sample(feedback);
  if (feedback.samples <= 0) return;
  const KnobIndex here = index_of(feedback.point);
  const Prior& prior = prior_at(here);
  if (settings_.source == PriorSource::twin) {
    const auto max_index =
        index_of({std::llround(kMaxGrowth * static_cast<double>(feedback.point.batch)), {}}).batch;
    max_batch_index_ = measured_.empty() ? max_index : std::max(max_batch_index_, max_index);
  }
  const double time = std::log(static_cast<double>(feedback.point.batch) / feedback.throughput());
  const Watts idle = settings_.idle;
  const Watts power = std::max(kMinPowerAboveIdle, feedback.mean_power.value_or(*feedback.power) - idle);
  const double energy = std::log(power.si()) + time - prior.log_joules;
  const BayesianLinearModel::Features& at = prior.energy_features;
  const auto [known, fresh] = measured_.try_emplace({here.batch, here.clock});
  PointResidual& residual = known->second;
  const double residual_energy = energy - energy_.predict_mean(at);
  // A point updates the models once, and again if it has drifted.
  const bool drifted = !fresh && std::abs(residual_energy - residual.energy) > kDrift;
  // Relative to total power: near idle, power above idle would exaggerate the change.
  const Watts before = power * std::exp(residual.energy - residual_energy);
  const double change = fresh ? 0 : std::abs(std::log(((idle + power) / (idle + before)).si()));
  if (change > kRetryChange) violations_.clear();
  if (change > kResetChange) {
    reset_models();
    return update_models(feedback);
  }
  if (fresh && measured_.size() > 1)
    residual_deviation_ =
        std::clamp(residual_deviation_ + kSmoothing * (std::abs(residual_energy) - residual_deviation_),
                   min_residual_deviation_, kMaxResidual);
  if (fresh || drifted) {
    if (drifted) energy_.inflate_variance(kInflation);
    energy_.add_sample(at, energy, std::hypot(residual_deviation_, kReadingDeviation));
    batch_time_.add_sample(prior.time_features, Seconds{std::exp(time)});
    residual = {time - batch_time_.predict_log_seconds(prior.time_features),
                energy - energy_.predict_mean(at), 1};
    return;
  }
  residual.count = std::min(residual.count + 1, kMeanWindow);
  residual.energy += (residual_energy - residual.energy) / residual.count;
  residual.time +=
      (time - batch_time_.predict_log_seconds(prior.time_features) - residual.time) / residual.count;
}

Action Joint::first(Watts cap) {
  cap_ = cap;
  const auto found = best(margin_.limit_to_enter(cap));
  if (const auto quick = fastest(margin_.limit_to_enter(cap)); !found && quick)
    return {quick->point, "no point is sure to meet the latency: the fastest within the cap"};
  if (!found)
    return {safest_point(settings_.knobs), "no point is sure to stay within the cap: the safest point"};
  return {found->point, fmt::format("{} should draw {:.0f} W, {:.0f} W at most", text_of(found->point),
                                    found->power.si(), found->max_power.si())};
}

Action Joint::step(const Feedback& feedback) {
  if (!feedback.power) return {safest_point(settings_.knobs), "no power reading: the safest point"};
  if (feedback.cap != cap_) decisions_ = explorations_ = 0;
  cap_ = feedback.cap;
  ++decisions_;
  update_temperature(feedback.temperature);
  update_models(feedback);
  const Watts limit = margin_.limit_to_enter(feedback.cap);
  const Watts power = feedback.mean_power.value_or(*feedback.power);
  const PointEstimate here = estimate(index_of(feedback.point));
  // Hysteresis: the current point may be closer to the cap than a newly chosen one.
  const bool over = here.power > margin_.limit_to_stay(feedback.cap) || power > feedback.cap;
  const bool violated = power > feedback.cap;
  if (over) record_violation(index_of(feedback.point));
  consecutive_violations_ = violated ? consecutive_violations_ + 1 : 0;
  // The models failed twice in a row: go to a measured point.
  if (const Point sure = best_measured(limit * kAfterViolation);
      consecutive_violations_ > 1 && sure != feedback.point) {
    record_violation(index_of(feedback.point));
    return {sure, fmt::format("{:.0f} W: above the cap again, back to {}, measured before", power.si(),
                              text_of(sure))};
  }
  deviations_ = violated                              ? kSafeDeviations
                : over || decisions_ > kBoldDecisions ? kDeviations
                                                      : kBoldDeviations;
  const auto found = best(violated ? limit * kAfterViolation : limit);
  if (!found) {
    if (const auto quick = fastest(limit); quick && settings_.latency)
      return {quick->point, fmt::format("no point is sure to meet {:.4g} s: {}, the fastest within the cap",
                                        settings_.latency->si(), text_of(quick->point))};
    if (feedback.point == safest_point(settings_.knobs))
      return {safest_point(settings_.knobs),
              fmt::format("{:.0f} W at the safest point: a cap of {:.0f} W cannot be held", power.si(),
                          feedback.cap.si())};
    return {safest_point(settings_.knobs),
            fmt::format("{:.0f} W: no point is sure to stay within {:.0f} W: the safest point", power.si(),
                        feedback.cap.si())};
  }
  const bool late = settings_.latency && here.time > *settings_.latency;
  const double min_gain = decisions_ > kSearchDecisions ? kMinGainSettled : kMinGain;
  if (!over && !late && found->throughput() < here.throughput() * (1 + min_gain)) {
    const auto more = exploration_candidate(here, limit);
    if (!more) return {feedback.point, fmt::format("{:.0f} W: no change", power.si())};
    ++explorations_;
    return {more->point, fmt::format("{:.0f} W: headroom, try {} although {:.0f} W are predicted", power.si(),
                                     text_of(more->point), more->power.si())};
  }
  if (found->point == feedback.point) return {feedback.point, fmt::format("{:.0f} W: no change", power.si())};
  const std::string_view why = over ? "above the limit;" : late ? "above the latency bound;" : "headroom for";
  return {found->point, fmt::format("{:.0f} W: {} {} at {:.0f} W, throughput {:+.1f} %", power.si(), why,
                                    text_of(found->point), found->power.si(),
                                    100 * (found->throughput() / here.throughput() - 1))};
}

}  // namespace ergon::control
