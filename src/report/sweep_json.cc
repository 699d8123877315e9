#include "report/sweep_json.h"

#include <nlohmann/json.hpp>

#include "base/si_prefixes.h"
#include "report/or_null.h"
#include "report/sweep_conclusions.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using namespace sweep;

Json mhz(Hertz clock) { return clock.si() / kMega; }
// Null for an unknown text.
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json coefficient_json(const Coefficient& coefficient) {
  return {{"estimate", coefficient.estimate},
          {"low", or_null(coefficient.low)},
          {"high", or_null(coefficient.high)}};
}

Json correlation_json(const std::optional<Correlation>& correlation) {
  if (!correlation) return nullptr;
  Json json = coefficient_json(correlation->pearson);
  json["spearman"] = coefficient_json(correlation->spearman);
  return json;
}

Json neighbor_json(const std::optional<sweep::ClockOptimum::Neighbor>& neighbor) {
  if (!neighbor) return nullptr;
  return {{"clock_mhz", mhz(neighbor->clock)}, {"more", neighbor->more}};
}

// Costs of the clocks next to an optimum.
Json neighbors_json(const std::optional<sweep::ClockOptimum>& optimum) {
  if (!optimum) return nullptr;
  return {{"lower", neighbor_json(optimum->lower)},
          {"higher", neighbor_json(optimum->higher)},
          {"within_one_percent_mhz", {mhz(optimum->flat_low), mhz(optimum->flat_high)}}};
}

// The clocks that do not differ significantly from an optimum.
Json interval_json(const std::optional<sweep::ClockOptimum>& optimum) {
  if (!optimum || !optimum->interval) return nullptr;
  return {mhz(optimum->interval->low), mhz(optimum->interval->high)};
}

Json clock_json(const std::optional<sweep::ClockOptimum>& optimum) {
  return optimum ? mhz(optimum->clock) : Json(nullptr);
}

// A list for each column: clocks, the curve and its band.
Json trend_json(const std::vector<TrendPoint>& trend) {
  if (trend.empty()) return nullptr;
  Json clocks = Json::array(), fit = Json::array(), low = Json::array(), high = Json::array();
  for (const TrendPoint& point : trend) {
    clocks.push_back(point.clock_mhz);
    fit.push_back(point.fit);
    low.push_back(point.low);
    high.push_back(point.high);
  }
  return {{"clock_mhz", clocks}, {"fit", fit}, {"low", low}, {"high", high}};
}

template <typename Q>
Json sample_json(const std::optional<RunStatistics<Q>>& sample) {
  if (!sample) return nullptr;
  return {
      {"mean", sample->mean.si()}, {"deviation", or_null(sample->deviation)}, {"cv", or_null(sample->cv)}};
}

Json series_json(const std::vector<ClockPoint>& points) {
  Json series = Json::array();
  for (const ClockPoint& point : points) {
    series.push_back({{"clock_mhz", mhz(point.clock)},
                      {"runs", point.runs()},
                      {"time_seconds", sample_json(std::optional(point.time))},
                      {"relative_time", point.relative_time},
                      {"power_watts", sample_json(point.power)},
                      {"energy_joules", sample_json(point.energy)},
                      {"energy_delay_joule_seconds", or_null(point.energy_delay())}});
  }
  return series;
}

void put_knee(const std::optional<Knee>& knee, Json& json) {
  json["knee_mhz"] = knee ? Json(knee->at) : Json(nullptr);
  json["knee_interval"] = knee ? Json{knee->low, knee->high} : Json(nullptr);
  json["knee"] = nullptr;
  if (!knee) return;
  json["knee"] = {{"watts_per_mhz_below", knee->slope_below},
                  {"watts_per_mhz_above", knee->slope_above},
                  {"residual_deviation_watts", knee->residual_deviation},
                  {"residual_autocorrelation", knee->autocorrelation},
                  {"p", knee->p}};
}

Json network_json(const NetworkEvaluation& network, PowerKind power, bool with_points) {
  const NetworkPoints& measured = network.measured;
  const bool energy = measured.energy_source != EnergySource::none;
  Json json = {
      {"name", measured.network},
      {"title", network.title},
      {"device", text_or_null(measured.device)},
      {"batch", measured.batch > 0 ? Json(measured.batch) : Json(nullptr)},
      {"scenario", text_or_null(measured.scenario)},
      {"power", name_of(power)},
      {"energy", energy ? Json(name_of(measured.energy_source)) : Json(nullptr)},
      {"runs", measured.runs()},
      {"points", measured.points.size()},
      {"min_clock_mhz", mhz(measured.points.front().clock)},
      {"max_clock_mhz", mhz(measured.points.back().clock)},
      {"cv_time_max", or_null(network.cv_time_max)},
      {"cv_power_max", or_null(network.cv_power_max)},
      {"r_power_clock", correlation_json(network.r_power_clock)},
      {"r_time_clock", correlation_json(network.r_time_clock)},
      {"r_power_time", correlation_json(network.r_power_time)},
      {"relative_time_max", network.relative_time_max},
      {"slowest_clock_mhz", mhz(network.slowest_clock)},
      {"fastest_clock_mhz", mhz(network.fastest_clock)},
  };
  put_knee(network.knee, json);
  json["best_energy_clock_mhz"] = clock_json(network.energy);
  json["best_energy_interval_mhz"] = interval_json(network.energy);
  json["best_edp_clock_mhz"] = clock_json(network.energy_delay);
  json["best_edp_interval_mhz"] = interval_json(network.energy_delay);
  json["optimum_from"] = network.energy ? Json(name_of(network.optimum_from)) : Json(nullptr);
  json["energy_saving"] = or_null(network.energy_saving);
  json["time_cost"] = or_null(network.time_cost);
  json["neighbors"] = {{"energy", neighbors_json(network.energy)},
                       {"edp", neighbors_json(network.energy_delay)}};
  json["trends"] = {{"time_seconds", trend_json(network.time_trend)},
                    {"power_watts", trend_json(network.power_trend)},
                    {"energy_joules", trend_json(network.energy_trend)}};
  json["notes"] = network.notes;
  if (with_points) json["series"] = series_json(measured.points);
  return json;
}

Json medians_json(const Medians& medians) {
  return {{"networks", medians.networks},
          {"best_energy_clock_mhz", or_null(medians.best_energy_clock_mhz)},
          {"best_edp_clock_mhz", or_null(medians.best_edp_clock_mhz)},
          {"knee_mhz", or_null(medians.knee_mhz)},
          {"energy_saving", or_null(medians.energy_saving)},
          {"time_cost", or_null(medians.time_cost)},
          {"r_power_clock", or_null(medians.r_power_clock)},
          {"r_time_clock", or_null(medians.r_time_clock)},
          {"r_power_time", or_null(medians.r_power_time)},
          {"spearman_time_clock", or_null(medians.spearman_time_clock)},
          {"relative_time_max", or_null(medians.relative_time_max)}};
}

Json shares_json(const std::optional<VarianceShares>& shares) {
  if (!shares) return nullptr;
  return {{"network", shares->network},
          {"clock", shares->clock},
          {"interaction", shares->interaction},
          {"residual", or_null(shares->residual)},
          {"total_variance", shares->total},
          {"networks", shares->networks},
          {"clocks", shares->clocks},
          {"runs", shares->runs},
          {"networks_excluded", shares->networks_excluded},
          {"clocks_excluded", shares->clocks_excluded}};
}

Json conclusion_json(const Conclusion& conclusion) {
  Json numbers = Json::object();
  for (const auto& [name, value] : conclusion.numbers) {
    numbers[name] = std::visit(
        [](const auto& one) -> Json {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) {
            return nullptr;
          } else {
            return one;
          }
        },
        value);
  }
  return {{"question", conclusion.question}, {"text", conclusion.text}, {"numbers", std::move(numbers)}};
}

}  // namespace

Json sweep_evaluation_json(const sweep::SweepEvaluation& evaluation, bool with_points) {
  Json networks = Json::array(), conclusions = Json::array();
  for (const NetworkEvaluation& network : evaluation.networks)
    networks.push_back(network_json(network, evaluation.power, with_points));
  for (const Conclusion& conclusion : conclusions_of(evaluation))
    conclusions.push_back(conclusion_json(conclusion));
  Json excluded = Json::object();
  for (const auto& [reason, count] : evaluation.excluded) excluded[reason] = count;
  const VarianceDecomposition& variance = evaluation.variance;
  return {{"simulated", evaluation.simulated},
          {"power", name_of(evaluation.power)},
          {"runs", evaluation.runs},
          {"excluded", std::move(excluded)},
          {"networks", std::move(networks)},
          {"medians", medians_json(evaluation.medians)},
          {"time_bound_medians", medians_json(evaluation.time_bound_medians)},
          {"variance",
           {{"log_time", shares_json(variance.log_time)},
            {"log_power", shares_json(variance.log_power)},
            {"time", shares_json(variance.time)},
            {"power", shares_json(variance.power)},
            {"notes", variance.notes}}},
          {"conclusions", std::move(conclusions)}};
}

}  // namespace ergon::report
