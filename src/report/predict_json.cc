#include "report/predict_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "device/twin/clock_grid.h"
#include "profile/condition.h"

namespace ergon::report {

using Json = nlohmann::ordered_json;

template <typename Q>
Json expected_json(const predict::Expected<Q>& expected) {
  return {{"value", expected.value.si()}, {"low", expected.low.si()}, {"high", expected.high.si()}};
}
template Json expected_json(const predict::Expected<Seconds>&);
template Json expected_json(const predict::Expected<Watts>&);
template Json expected_json(const predict::Expected<Joules>&);
template Json expected_json(const predict::Expected<predict::JouleSeconds>&);

Json forecast_json(const predict::Outlook& outlook, const device::Setting& setting) {
  const predict::Forecast forecast = outlook.at(setting);
  Json json;
  json["regime"] = name_of(forecast.regime);
  json["known_operations_share"] = outlook.known_share();
  json["clock_hertz"] = forecast.clock.si();
  json["clock_limited"] = forecast.limited;
  json["limit_kept"] = forecast.kept;
  json["host_bound"] = forecast.host_bound;
  json["time_seconds"] = expected_json(forecast.time);
  json["power_watts"] = expected_json(forecast.power);
  json["energy_joules"] = expected_json(forecast.energy);
  json["energy_per_sample_joules"] = expected_json(forecast.energy_per_sample);
  json["energy_delay_joule_seconds"] = expected_json(forecast.energy_delay);
  json["memory_bytes"] = outlook.memory().si();
  json["warnings"] = outlook.warnings();
  Json operations = Json::array();
  for (const predict::OperationForecast& each : outlook.operations(setting)) {
    operations.push_back({{"type", each.kind},
                          {"description", each.description},
                          {"count", static_cast<std::int64_t>(each.count)},
                          {"time_seconds", each.time.si()},
                          {"energy_joules", each.energy.si()}});
  }
  json["operations"] = std::move(operations);
  return json;
}

namespace {

constexpr std::size_t kCurvePoints = 64;

// {value: [...], low: [...], high: [...]}
template <typename Q>
class ExpectedLists {
 public:
  void add(const predict::Expected<Q>& expected) {
    value_.push_back(expected.value.si());
    low_.push_back(expected.low.si());
    high_.push_back(expected.high.si());
  }
  Json json() const { return {{"value", value_}, {"low", low_}, {"high", high_}}; }

 private:
  std::vector<double> value_, low_, high_;
};

}  // namespace

Json forecast_curve_json(const predict::Outlook& outlook, const device::Specification& gpu,
                         const std::optional<Watts>& limit) {
  const device::ClockGrid grid(gpu.core);
  const std::size_t points = std::min(grid.size(), kCurvePoints);
  std::vector<double> clocks;
  ExpectedLists<Seconds> time;
  ExpectedLists<Watts> power;
  ExpectedLists<Joules> energy;
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t step = points == 1 ? 0 : i * grid.highest() / (points - 1);
    const predict::Forecast forecast = outlook.at({grid.at(step), limit});
    if (forecast.limited) continue;
    clocks.push_back(forecast.clock.si());
    time.add(forecast.time);
    power.add(forecast.power);
    energy.add(forecast.energy);
  }
  return {{"own_clock_hertz", outlook.at({std::nullopt, limit}).clock.si()},
          {"clock_hertz", std::move(clocks)},
          {"time_seconds", time.json()},
          {"power_watts", power.json()},
          {"energy_joules", energy.json()}};
}

Json scores_json(const std::vector<predict::Score>& scores) {
  Json list = Json::array();
  for (const predict::Score& score : scores) {
    Json each{{"what", score.what}, {"rows", score.rows}, {"mape", score.mape}};
    if (score.r_squared) each["r_squared"] = *score.r_squared;
    if (score.coverage) each["coverage"] = *score.coverage;
    list.push_back(std::move(each));
  }
  return list;
}

Json held_back_json(const std::vector<predict::HeldBack>& held_back) {
  Json list = Json::array();
  for (const predict::HeldBack& each : held_back) {
    Json row{{"network", each.network},
             {"batch", each.condition.batch},
             {"mode", profile::name_of(each.condition.mode)},
             {"precision", device::name_of(each.condition.precision)},
             {"host", predict::name_of(each.condition.host)},
             {"host_bound", each.waits},
             {"time_seconds", each.predicted.si()},
             {"measured_time_seconds", each.measured.si()}};
    if (each.measured_power) {
      row["power_watts"] = each.predicted_power.si();
      row["measured_power_watts"] = each.measured_power->si();
    }
    list.push_back(std::move(row));
  }
  return list;
}

Json fit_json(const predict::Fitted& fitted, const std::string& out) {
  Json sources = Json::array();
  for (const predict::Source& source : fitted.model.sources) {
    sources.push_back({{"name", source.name},
                       {"detail", source.detail},
                       {"operations", source.operations},
                       {"networks", source.networks}});
  }
  return {{"device", fitted.model.device},
          {"regime", name_of(fitted.model.regime)},
          {"model", out},
          {"sources", std::move(sources)},
          {"scores", scores_json(fitted.model.scores)},
          {"held_back", held_back_json(fitted.held_back)},
          {"of_known_operations", held_back_json(fitted.of_known_operations)}};
}

}  // namespace ergon::report
