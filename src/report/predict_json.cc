#include "report/predict_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "device/twin/clock_grid.h"
#include "profile/run_condition.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

template <typename Q>
Json predicted_value_json(const predict::PredictedValue<Q>& expected) {
  return {{"value", expected.value.si()}, {"low", expected.low.si()}, {"high", expected.high.si()}};
}
template Json predicted_value_json(const predict::PredictedValue<Seconds>&);
template Json predicted_value_json(const predict::PredictedValue<Watts>&);
template Json predicted_value_json(const predict::PredictedValue<Joules>&);
template Json predicted_value_json(const predict::PredictedValue<predict::JouleSeconds>&);

Json prediction_json(const predict::PreparedNetwork& prepared, const device::ClockAndLimit& setting) {
  const predict::Prediction prediction = prepared.predict(setting);
  Json json;
  json["source"] = name_of(prediction.source);
  json["measured_operations_share"] = prepared.measured_share();
  json["clock_hertz"] = prediction.clock.si();
  json["clock_limited"] = prediction.limited;
  json["power_limit_held"] = prediction.limit_held;
  json["host_bound"] = prediction.host_bound;
  json["time_seconds"] = predicted_value_json(prediction.time);
  json["power_watts"] = predicted_value_json(prediction.power);
  json["energy_joules"] = predicted_value_json(prediction.energy);
  json["energy_per_sample_joules"] = predicted_value_json(prediction.energy_per_sample);
  json["energy_delay_joule_seconds"] = predicted_value_json(prediction.energy_delay);
  json["memory_bytes"] = prepared.memory().si();
  json["warnings"] = prepared.warnings();
  Json operations = Json::array();
  for (const predict::OperationPrediction& each : prepared.operations(setting)) {
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
class PredictedValueLists {
 public:
  void add(const predict::PredictedValue<Q>& expected) {
    value_.push_back(expected.value.si());
    low_.push_back(expected.low.si());
    high_.push_back(expected.high.si());
  }
  Json json() const { return {{"value", value_}, {"low", low_}, {"high", high_}}; }

 private:
  std::vector<double> value_, low_, high_;
};

}  // namespace

Json prediction_curve_json(const predict::PreparedNetwork& prepared, const device::Specification& gpu,
                           const std::optional<Watts>& limit) {
  const device::ClockGrid grid(gpu.core);
  const std::size_t points = std::min(grid.size(), kCurvePoints);
  std::vector<double> clocks;
  PredictedValueLists<Seconds> time;
  PredictedValueLists<Watts> power;
  PredictedValueLists<Joules> energy;
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t step = points == 1 ? 0 : i * grid.highest() / (points - 1);
    const predict::Prediction prediction = prepared.predict({grid.at(step), limit});
    if (prediction.limited) continue;
    clocks.push_back(prediction.clock.si());
    time.add(prediction.time);
    power.add(prediction.power);
    energy.add(prediction.energy);
  }
  return {{"default_clock_hertz", prepared.predict({std::nullopt, limit}).clock.si()},
          {"clock_hertz", std::move(clocks)},
          {"time_seconds", time.json()},
          {"power_watts", power.json()},
          {"energy_joules", energy.json()}};
}

Json prediction_curves_json(const std::vector<predict::PreparedNetwork>& alternatives,
                            const predict::WorkloadConfig& requested, const device::Specification& gpu,
                            const std::optional<Watts>& limit) {
  Json curves = Json::array();
  for (const predict::PreparedNetwork& each : alternatives) {
    const predict::WorkloadConfig& config = each.config();
    Json curve{
        {"batch", config.batch}, {"precision", name_of(config.precision)}, {"default", config == requested}};
    curve.update(prediction_curve_json(each, gpu, limit));
    curves.push_back(std::move(curve));
  }
  return curves;
}

Json predict_json(const std::string& network, const predict::Predictor& predictor,
                  const predict::PreparedNetwork& prepared, const device::ClockAndLimit& setting,
                  const std::vector<predict::PreparedNetwork>& alternatives) {
  const predict::WorkloadConfig& config = prepared.config();
  Json json{{"network", network},
            {"device", predictor.gpu().name},
            {"batch", config.batch},
            {"mode", name_of(config.mode)},
            {"precision", name_of(config.precision)},
            {"host", name_of(config.host)}};
  json.update(prediction_json(prepared, setting));
  if (!alternatives.empty())
    json["curves"] = prediction_curves_json(alternatives, config, predictor.gpu(), setting.limit);
  return json;
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

Json held_out_json(const std::vector<predict::HeldOutNetwork>& held_out) {
  Json list = Json::array();
  for (const predict::HeldOutNetwork& each : held_out) {
    Json row{{"network", each.network},
             {"batch", each.config.batch},
             {"mode", profile::name_of(each.config.mode)},
             {"precision", device::name_of(each.config.precision)},
             {"host", predict::name_of(each.config.host)},
             {"host_bound", each.host_bound},
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

Json evaluation_json(const std::string& device, const predict::Evaluation& evaluation) {
  Json json{{"device", device}};
  if (evaluation.networks) {
    json["held_out"] = held_out_json(evaluation.networks->held_out);
    json["with_measured_operations"] = held_out_json(evaluation.networks->with_measured_operations);
  }
  json["scores"] = scores_json(evaluation.scores);
  return json;
}

Json fit_json(const predict::FitResult& fitted, const std::string& out) {
  Json training_data = Json::array();
  for (const predict::TrainingSource& source : fitted.model.training_sources) {
    training_data.push_back({{"name", source.name},
                             {"detail", source.detail},
                             {"operations", source.operations},
                             {"networks", source.networks}});
  }
  return {{"device", fitted.model.device},
          {"source", name_of(fitted.model.source)},
          {"model", out},
          {"training_data", std::move(training_data)},
          {"scores", scores_json(fitted.model.scores)},
          {"held_out", held_out_json(fitted.held_out)},
          {"with_measured_operations", held_out_json(fitted.with_measured_operations)}};
}

}  // namespace ergon::report
