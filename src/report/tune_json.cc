#include "report/tune_json.h"

#include <nlohmann/json.hpp>

#include "report/or_null.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using predict::OperatingPoint;

template <typename Q>
Json interval_json(const predict::PredictedValue<Q>& expected) {
  return {{"low", expected.low.si()}, {"high", expected.high.si()}};
}

Json point_or_null(const std::optional<OperatingPoint>& point, const Prices& prices) {
  return point ? operating_point_json(*point, prices) : Json(nullptr);
}

Json device_result_json(const predict::DeviceTuneResult& each, const predict::TuneRequest& request) {
  Json json = {{"device", each.device},
               {"choice", point_or_null(each.choice, request.prices)},
               {"default", point_or_null(each.at_default, request.prices)},
               {"energy_saving", nullptr},
               {"blocked_by", nullptr},
               {"nearest", nullptr},
               {"candidates", each.candidates},
               {"warnings", each.warnings},
               {"excluded", Json::array()}};
  if (each.choice) json["energy_saving"] = predict::energy_saving(*each.choice, *each.at_default);
  if (each.infeasibility) {
    json["blocked_by"] = each.infeasibility->text(request.bounds);
    json["nearest"] = operating_point_json(each.infeasibility->nearest, request.prices);
  }
  for (const predict::ExcludedBatch& batch : each.excluded)
    json["excluded"].push_back({{"batch", batch.batch}, {"reason", batch.reason}});
  return json;
}

Json tradeoffs_json(const std::vector<predict::LatencyTradeoff>& tradeoffs, const Prices& prices) {
  Json json = Json::array();
  for (const predict::LatencyTradeoff& each : tradeoffs) {
    json.push_back({{"latency_change", each.latency_change},
                    {"energy_saving", each.point ? Json(each.energy_saving) : Json(nullptr)},
                    {"point", point_or_null(each.point, prices)}});
  }
  return json;
}

Json request_json(const predict::TuneRequest& request) {
  return {{"objective", name_of(request.objective)},
          {"bounds",
           {{"latency_seconds", or_null(request.bounds.latency)},
            {"samples_per_second", or_null(request.bounds.throughput)},
            {"power_watts", or_null(request.bounds.power)}}},
          {"prices",
           {{"per_kwh", or_null(request.prices.per_kwh)},
            {"per_gpu_hour", request.prices.per_gpu_hour},
            {"carbon_grams_per_kwh", or_null(request.prices.carbon_grams_per_kwh)}}}};
}

}  // namespace

Json operating_point_json(const OperatingPoint& point, const Prices& prices) {
  const predict::Prediction& prediction = point.prediction;
  return {{"device", point.device},
          {"clock_hertz", prediction.clock.si()},
          {"requested_clock_hertz", or_null(point.clock)},
          {"batch", point.batch},
          {"power_limit_watts", point.limit.si()},
          {"power_limit_is_default", point.default_limit},
          {"time_seconds", point.latency().si()},
          {"samples_per_second", point.throughput().si()},
          {"power_watts", point.power().si()},
          {"energy_joules", prediction.energy.value.si()},
          {"energy_per_sample_joules", point.energy_per_sample().si()},
          {"price_per_sample", or_null(price_of(point, prices))},
          {"carbon_per_sample_grams", or_null(carbon_of(point, prices))},
          {"source", name_of(prediction.source)},
          {"clock_limited", prediction.limited},
          {"intervals",
           {{"time_seconds", interval_json(prediction.time)},
            {"power_watts", interval_json(prediction.power)},
            {"energy_per_sample_joules", interval_json(prediction.energy_per_sample)}}}};
}

Json tune_json(const std::string& network, const predict::WorkloadConfig& config,
               const predict::TuneResult& result, const predict::TuneRequest& request) {
  Json json = {{"network", network},
               {"mode", name_of(config.mode)},
               {"precision", name_of(config.precision)},
               {"host", name_of(config.host)}};
  json.update(request_json(request));
  json["choice"] = operating_point_json(result.choice, request.prices);
  json["default"] = operating_point_json(result.at_default, request.prices);
  json["energy_saving"] = result.energy_saving;
  json["best_default"] = point_or_null(result.best_default, request.prices);
  json["energy_saving_to_best_default"] = nullptr;
  if (result.best_default)
    json["energy_saving_to_best_default"] = predict::energy_saving(result.choice, *result.best_default);
  json["devices"] = Json::array();
  for (const predict::DeviceTuneResult& each : result.devices)
    json["devices"].push_back(device_result_json(each, request));
  json["more_latency"] = tradeoffs_json(result.more_latency, request.prices);
  json["less_latency"] = tradeoffs_json(result.less_latency, request.prices);
  json["next_cheaper"] = point_or_null(result.next_cheaper, request.prices);
  json["not_distinguished"] = result.not_distinguished;
  json["pareto"] = Json::array();
  for (const OperatingPoint& point : result.front)
    json["pareto"].push_back(operating_point_json(point, request.prices));
  return json;
}

}  // namespace ergon::report
