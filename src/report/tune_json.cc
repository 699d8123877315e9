#include "report/tune_json.h"

#include <nlohmann/json.hpp>

#include "report/or_null.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;
using predict::OperatingPoint;

template <typename Q>
Json interval_json(const predict::Expected<Q>& expected) {
  return {{"low", expected.low.si()}, {"high", expected.high.si()}};
}

Json point_or_null(const std::optional<OperatingPoint>& point, const predict::Prices& prices) {
  return point ? operating_point_json(*point, prices) : Json(nullptr);
}

Json device_answer_json(const predict::DeviceAnswer& each, const predict::Question& question) {
  Json json = {{"device", each.device},
               {"choice", point_or_null(each.choice, question.prices)},
               {"default", point_or_null(each.at_default, question.prices)},
               {"energy_saving", nullptr},
               {"blocked_by", nullptr},
               {"nearest", nullptr},
               {"candidates", each.candidates},
               {"warnings", each.warnings},
               {"left_out", Json::array()}};
  if (each.choice) json["energy_saving"] = predict::energy_saving(*each.choice, *each.at_default);
  if (each.blockade) {
    json["blocked_by"] = each.blockade->text(question.bounds);
    json["nearest"] = operating_point_json(each.blockade->nearest, question.prices);
  }
  for (const predict::LeftOut& batch : each.left_out)
    json["left_out"].push_back({{"batch", batch.batch}, {"why", batch.why}});
  return json;
}

Json exchanges_json(const std::vector<predict::Exchange>& exchanges, const predict::Prices& prices) {
  Json json = Json::array();
  for (const predict::Exchange& each : exchanges) {
    json.push_back({{"latency_change", each.latency_change},
                    {"energy_saving", each.point ? Json(each.energy_saving) : Json(nullptr)},
                    {"point", point_or_null(each.point, prices)}});
  }
  return json;
}

Json question_json(const predict::Question& question) {
  return {{"objective", name_of(question.objective)},
          {"bounds",
           {{"latency_seconds", or_null(question.bounds.latency)},
            {"samples_per_second", or_null(question.bounds.throughput)},
            {"power_watts", or_null(question.bounds.power)}}},
          {"prices",
           {{"per_kwh", or_null(question.prices.per_kwh)},
            {"per_gpu_hour", question.prices.per_gpu_hour},
            {"carbon_grams_per_kwh", or_null(question.prices.carbon_grams_per_kwh)}}}};
}

}  // namespace

Json operating_point_json(const OperatingPoint& point, const predict::Prices& prices) {
  const predict::Forecast& forecast = point.forecast;
  return {{"device", point.device},
          {"clock_hertz", forecast.clock.si()},
          {"requested_clock_hertz", or_null(point.clock)},
          {"batch", point.batch},
          {"power_limit_watts", point.limit.si()},
          {"power_limit_is_usual", point.usual_limit},
          {"time_seconds", point.latency().si()},
          {"samples_per_second", point.throughput().si()},
          {"power_watts", point.power().si()},
          {"energy_joules", forecast.energy.value.si()},
          {"energy_per_sample_joules", point.energy_per_sample().si()},
          {"price_per_sample", or_null(price_of(point, prices))},
          {"carbon_per_sample_grams", or_null(carbon_of(point, prices))},
          {"regime", name_of(forecast.regime)},
          {"clock_limited", forecast.limited},
          {"intervals",
           {{"time_seconds", interval_json(forecast.time)},
            {"power_watts", interval_json(forecast.power)},
            {"energy_per_sample_joules", interval_json(forecast.energy_per_sample)}}}};
}

Json tune_json(const predict::Answer& answer, const predict::Question& question) {
  Json json = question_json(question);
  json["choice"] = operating_point_json(answer.choice, question.prices);
  json["default"] = operating_point_json(answer.at_default, question.prices);
  json["energy_saving"] = answer.energy_saving;
  json["best_default"] = point_or_null(answer.best_default, question.prices);
  json["energy_saving_to_best_default"] = nullptr;
  if (answer.best_default)
    json["energy_saving_to_best_default"] = predict::energy_saving(answer.choice, *answer.best_default);
  json["devices"] = Json::array();
  for (const predict::DeviceAnswer& each : answer.devices)
    json["devices"].push_back(device_answer_json(each, question));
  json["more_latency"] = exchanges_json(answer.more_latency, question.prices);
  json["less_latency"] = exchanges_json(answer.less_latency, question.prices);
  json["pareto"] = Json::array();
  for (const OperatingPoint& point : answer.front)
    json["pareto"].push_back(operating_point_json(point, question.prices));
  return json;
}

}  // namespace ergon::report
