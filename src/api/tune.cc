#include "predict/tune/tune.h"

#include <algorithm>
#include <cmath>
#include <ergon/tune.h>
#include <set>

#include <fmt/format.h>

#include "api/access.h"
#include "api/convert.h"
#include "api/tune_convert.h"
#include "base/units_text.h"
#include "device/twin/parameter_digest.h"
#include "predict/tune/targets.h"

namespace ergon {
namespace {

predict::Objective internal_objective(Objective objective) {
  switch (objective) {
    case Objective::energy_delay:
      return predict::Objective::energy_delay;
    case Objective::time:
      return predict::Objective::time;
    case Objective::price:
      return predict::Objective::price;
    case Objective::energy:
      break;
  }
  return predict::Objective::energy;
}

// Distinct devices, in the order given. Errors: different devices with one name.
Result<std::vector<predict::Predictor>> distinct_predictors(const std::vector<Predictor>& predictors) {
  std::vector<predict::Predictor> all;
  for (const Predictor& each : predictors) {
    const predict::Predictor& predictor = Access::predictor(each);
    const auto same_name = std::find_if(all.begin(), all.end(), [&](const predict::Predictor& other) {
      return other.gpu().name == each.device();
    });
    if (same_name == all.end()) {
      all.push_back(predictor);
    } else if (device::parameter_digest(same_name->gpu()) != device::parameter_digest(predictor.gpu())) {
      return fail(Errc::invalid_input, "two different devices have the name \"{}\"", each.device());
    }
  }
  return all;
}

template <typename Q>
Result<> check_positive(const std::optional<Q>& value, std::string_view name) {
  if (!value || (*value > Q{0} && std::isfinite(value->si()))) return {};
  return fail(Errc::invalid_input, "{}: {} is not above 0", name, to_text(*value));
}

Result<> check_price(std::optional<double> price, std::string_view name) {
  if (!price || (*price >= 0 && std::isfinite(*price))) return {};
  return fail(Errc::invalid_input, "{}: {} is not a price", name, *price);
}

Result<> check_request(const TuneRequest& request) {
  for (const Result<>& checked :
       {check_positive(request.max_latency, "max_latency"), check_positive(request.max_power, "max_power"),
        check_positive(request.min_clock, "min_clock"), check_positive(request.max_clock, "max_clock")}) {
    if (!checked) return checked;
  }
  if (request.min_throughput && !(*request.min_throughput > 0 && std::isfinite(*request.min_throughput)))
    return fail(Errc::invalid_input, "min_throughput: {} is not above 0", *request.min_throughput);
  if (request.min_clock && request.max_clock && *request.min_clock > *request.max_clock) {
    return fail(Errc::invalid_input, "min_clock {} is above max_clock {}", to_text(*request.min_clock),
                to_text(*request.max_clock));
  }
  if (!request.lock_clocks && (request.min_clock || request.max_clock))
    return fail(Errc::invalid_input, "min_clock and max_clock need lock_clocks");
  for (const Watts limit : request.power_limits) {
    if (auto fine = check_positive(std::optional(limit), "power_limits"); !fine) return fine;
  }
  if (auto fine = check_price(request.prices.per_kwh, "per_kwh"); !fine) return fine;
  for (const auto& [device, price] : request.prices.per_gpu_hour) {
    if (auto fine = check_price(price, "per_gpu_hour"); !fine) return fine;
  }
  if (request.objective == Objective::price && !request.prices.per_kwh && request.prices.per_gpu_hour.empty())
    return fail(Errc::invalid_input, "Objective::price needs a price per kWh, per GPU hour or both");
  return {};
}

// Errors: a power limit that no device supports; a missing or superfluous price.
Result<predict::TuneRequest> internal_request(const TuneRequest& request,
                                              const std::vector<predict::Predictor>& predictors) {
  predict::TuneRequest to;
  to.objective = internal_objective(request.objective);
  to.bounds.latency = request.max_latency;
  if (request.min_throughput) to.bounds.throughput = predict::SamplesPerSecond{*request.min_throughput};
  to.bounds.power = request.max_power;
  to.space.min_clock = request.min_clock;
  to.space.max_clock = request.max_clock;
  to.space.lock_clocks = request.lock_clocks;
  to.prices.per_kwh = request.prices.per_kwh;
  to.prices.per_gpu_hour = request.prices.per_gpu_hour;
  if (!request.power_limits.empty()) {
    if (auto fine = predict::check_limits(request.power_limits, predictors); !fine) return fine.error();
    to.space.limits = request.power_limits;
  }
  if (to.prices.per_gpu_hour.empty()) return to;
  std::set<std::string> devices;
  for (const predict::Predictor& each : predictors) devices.insert(each.gpu().name);
  for (const std::string& name : devices) {
    if (!to.prices.per_gpu_hour.contains(name))
      return fail(Errc::invalid_input, "per_gpu_hour: no price for {}", name);
  }
  for (const auto& [name, price] : to.prices.per_gpu_hour) {
    if (!devices.contains(name)) return fail(Errc::invalid_input, "per_gpu_hour: no predictor of {}", name);
  }
  return to;
}

// Converts operating points of several devices.
class TunedPoints {
 public:
  explicit TunedPoints(const std::vector<predict::Predictor>& predictors) {
    for (const predict::Predictor& each : predictors) predictors_.emplace(each.gpu().name, each);
  }

  OperatingPoint point(const predict::OperatingPoint& from) const {
    const auto limit = from.default_limit ? std::nullopt : std::optional(from.limit);
    const bool simulated = predictors_.at(from.device).simulated({from.clock, limit});
    return {from.device, from.batch,         from.clock,
            from.limit,  from.default_limit, api::prediction_of(from.prediction, from.batch, simulated)};
  }

 private:
  std::map<std::string, predict::Predictor> predictors_;  // by device
};

}  // namespace

std::string_view name_of(Objective objective) { return predict::name_of(internal_objective(objective)); }

Result<api::Tuned> api::tuned(const Network& network, const std::vector<Predictor>& predictors,
                              const TuneRequest& request) {
  if (predictors.empty()) return fail(Errc::invalid_input, "no predictor to tune with");
  if (auto fine = check_request(request); !fine) return fine.error();
  auto distinct = distinct_predictors(predictors);
  if (!distinct) return distinct.error();
  auto internal = internal_request(request, *distinct);
  if (!internal) return internal.error();
  const graph::Network& fused = Access::fused(network);
  const Workload workload{{}, request.mode, request.precision, request.host};
  const predict::WorkloadConfig config = config_of(workload, fused);
  std::vector<std::string> notes;
  const auto targets =
      predict::tune_targets_of(*distinct, fused, config, predict::batches_to_try(fused, request.batches),
                               [&](std::string_view note) { notes.emplace_back(note); });
  if (!targets) return targets.error();
  auto result = predict::tune(*targets, *internal);
  if (!result) return result.error();
  return Tuned{config, std::move(*internal), std::move(*result), std::move(*distinct), std::move(notes)};
}

Result<TuneResult> tune_network(const Network& network, const std::vector<Predictor>& predictors,
                                const TuneRequest& request) {
  auto tuned = api::tuned(network, predictors, request);
  if (!tuned) return tuned.error();
  const predict::TuneResult& result = tuned->result;
  const TunedPoints points(tuned->predictors);
  TuneResult to;
  to.choice = points.point(result.choice);
  to.at_default = points.point(result.at_default);
  if (result.best_default) to.best_default = points.point(*result.best_default);
  to.energy_saving = result.energy_saving;
  for (const predict::OperatingPoint& each : result.front) to.front.push_back(points.point(each));
  for (const predict::DeviceTuneResult& each : result.devices) {
    DeviceChoice& device = to.devices.emplace_back();
    device.device = each.device;
    if (each.choice) device.choice = points.point(*each.choice);
    if (each.infeasibility) device.why_not = each.infeasibility->text(tuned->request.bounds);
  }
  to.notes = std::move(tuned->notes);
  to.warnings = result.devices.front().warnings;
  return to;
}

}  // namespace ergon
