#include <nlohmann/json.hpp>

#include "profile/run_condition.h"
#include "report/predict_json.h"
#include "reproduce/thesis/text.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json score_json(const predict::Score& score) {
  return {{"r_squared", score.r_squared.value_or(0)}, {"mape", score.mape}};
}

Json operations_json(const OperationStudy& study) {
  Json all = Json::array();
  const auto add = [&](const char* method, const std::vector<OperationScore>& scores) {
    for (const OperationScore& score : scores) {
      all.push_back({{"device", score.device},
                     {"mode", profile::name_of(score.kind.mode)},
                     {"precision", device::name_of(score.kind.precision)},
                     {"method", method},
                     {"rows", score.time.rows},
                     {"time", score_json(score.time)},
                     {"power", score_json(score.power)}});
    }
  };
  add("cross_validation", study.cross_validated);
  add("held_out", study.held_out);
  return all;
}

Json energy_or_null(const std::optional<Joules>& energy) {
  return energy ? Json(energy->si()) : Json(nullptr);
}

Json energies_json(const std::vector<ThreeEnergies>& energies, const char* mode) {
  Json all = Json::array();
  for (const ThreeEnergies& each : energies) {
    all.push_back({{"network", each.network},
                   {"size", each.size},
                   {"mode", mode},
                   {"a30_tf32_joules", energy_or_null(each.tensor_cores_on)},
                   {"rtx2080ti_joules", energy_or_null(each.rtx2080ti)},
                   {"a30_fp32_joules", energy_or_null(each.tensor_cores_off)}});
  }
  return all;
}

Json series_json(const ClockSeries& series) {
  Json points = Json::array();
  for (std::size_t i = 0; i < kThesisClocks.size(); ++i) {
    const predict::Prediction& at = series.points.at(i);
    points.push_back({{"clock_hertz", kThesisClocks.at(i).si()},
                      {"time_seconds", at.time.value.si()},
                      {"power_watts", at.power.value.si()},
                      {"energy_joules", at.energy.value.si()}});
  }
  return {{"network", series.test_case.network},
          {"size", series.test_case.size},
          {"mode", profile::name_of(series.mode)},
          {"best_energy_clock_hertz", series.best_energy().si()},
          {"best_energy_delay_clock_hertz", series.best_energy_delay().si()},
          {"best_energy_clock_of_all_hertz", series.best_energy_of_all.si()},
          {"best_energy_delay_clock_of_all_hertz", series.best_energy_delay_of_all.si()},
          {"points", std::move(points)}};
}

Json clocks_json(const ClockStudy& study) {
  Json all = Json::array();
  for (const auto* series : {&study.inference, &study.training}) {
    for (const ClockSeries& each : *series) all.push_back(series_json(each));
  }
  return all;
}

}  // namespace

Json thesis_json(const ThesisStudy& study, const std::vector<Claim>& claims, bool claims_only) {
  Json body = {
      {"paper", "C. Nicolai: On Energy Modeling of Deep Neural Network Operations, Heidelberg University"},
      {"tables", text_or_null(study.folder)},
      {"claims", claims_json(claims)}};
  if (claims_only) return body;
  if (study.operations) {
    body["folds"] = study.operations->folds;
    body["operations"] = operations_json(*study.operations);
  }
  Json measured = energies_json(measured_energies(study.networks, graph::Mode::inference), "inference");
  for (Json& each : energies_json(measured_energies(study.networks, graph::Mode::training), "training"))
    measured.push_back(std::move(each));
  body["measured_networks"] = std::move(measured);
  body["clocks"] = clocks_json(study.clocks);
  body["predicted_networks"] = energies_json(study.clocks.energies, "inference");
  body["held_out"] = report::scores_json(study.clocks.held_out);
  body["latency"] = {{"load_seconds", study.latency.load.si()},
                     {"prepare_seconds", study.latency.prepare.si()},
                     {"predict_seconds", study.latency.predict.si()}};
  return body;
}

}  // namespace ergon::reproduce
