#include <ergon/predict.h>

#include "api/access.h"
#include "api/convert.h"
#include "device/twin/clock_grid.h"
#include "predict/model/builtin_models.h"
#include "predict/sanity.h"
#include "sources/device_source.h"

namespace ergon {
std::string_view name_of(PredictionSource source) {
  switch (source) {
    case PredictionSource::learned:
      return predict::name_of(predict::PredictionSource::learned);
    case PredictionSource::calibrated:
      return predict::name_of(predict::PredictionSource::calibrated);
    case PredictionSource::twin:
      break;
  }
  return predict::name_of(predict::PredictionSource::twin);
}

std::string_view name_of(LaunchHost host) {
  switch (host) {
    case LaunchHost::native:
      return predict::name_of(predict::LaunchHost::native);
    case LaunchHost::transformers:
      return predict::name_of(predict::LaunchHost::transformers);
    case LaunchHost::python:
      break;
  }
  return predict::name_of(predict::LaunchHost::python);
}

PreparedNetwork::PreparedNetwork(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Prediction> PreparedNetwork::at(const ClockAndLimit& setting) const {
  const auto& [predictor, prepared] = *state_;
  const device::ClockAndLimit requested{setting.clock, setting.power_limit};
  if (auto fine = device::check(requested, predictor.gpu()); !fine) return fine.error();
  const predict::Prediction prediction = prepared.predict(requested);
  if (auto fine = predict::check_sanity(prediction, predictor.gpu(),
                                        requested.limit.value_or(predictor.gpu().limit.default_limit));
      !fine)
    return fine.error();
  return api::prediction_of(prediction, prepared.config().batch, predictor.simulated(requested));
}

Result<std::vector<Prediction>> PreparedNetwork::clock_curve(std::optional<Watts> power_limit) const {
  const device::ClockGrid grid(state_->predictor.gpu().core);
  std::vector<Prediction> curve;
  for (std::size_t step = 0; step < grid.size(); ++step) {
    auto point = at({grid.at(step), power_limit});
    if (!point) return point.error();
    curve.push_back(*point);
  }
  return curve;
}

Result<std::vector<OperationPrediction>> PreparedNetwork::operations(const ClockAndLimit& setting) const {
  const device::ClockAndLimit requested{setting.clock, setting.power_limit};
  if (auto fine = device::check(requested, state_->predictor.gpu()); !fine) return fine.error();
  std::vector<OperationPrediction> all;
  for (const predict::OperationPrediction& each : state_->prepared.operations(requested))
    all.push_back({each.kind, each.description, each.count, each.time, each.energy});
  return all;
}

double PreparedNetwork::measured_share() const { return state_->prepared.measured_share(); }
const std::vector<std::string>& PreparedNetwork::warnings() const { return state_->prepared.warnings(); }
Bytes PreparedNetwork::memory() const { return state_->prepared.memory(); }

Predictor::Predictor(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Predictor> Predictor::of_device(const std::string& device) {
  const sources::DeviceSource source{device, {}};
  auto predictor = source.predictor();
  if (!predictor) return predictor.error();
  return Predictor(std::make_shared<const State>(State{std::move(*predictor), source.files()}));
}

Result<Predictor> Predictor::of_model_file(const std::string& device, const std::string& file) {
  const sources::DeviceSource source{device, file};
  auto predictor = source.predictor();
  if (!predictor) return predictor.error();
  return Predictor(std::make_shared<const State>(State{std::move(*predictor), source.files()}));
}

Result<Predictor> Predictor::physical(const std::string& device) {
  const sources::DeviceSource source{device, {}};
  auto gpu = source.twin();
  if (!gpu) return gpu.error();
  return Predictor(std::make_shared<const State>(State{predict::Predictor(std::move(*gpu)), source.files()}));
}

const std::string& Predictor::device() const { return state_->predictor.gpu().name; }

PredictionSource Predictor::source() const {
  const predict::Model* model = state_->predictor.model();
  if (model == nullptr) return PredictionSource::twin;
  return model->source == predict::PredictionSource::learned ? PredictionSource::learned
                                                             : PredictionSource::calibrated;
}

std::vector<Hertz> Predictor::clocks() const {
  const device::ClockGrid grid(state_->predictor.gpu().core);
  std::vector<Hertz> all;
  for (std::size_t step = 0; step < grid.size(); ++step) all.push_back(grid.at(step));
  return all;
}

Watts Predictor::default_power_limit() const { return state_->predictor.gpu().limit.default_limit; }
Watts Predictor::min_power_limit() const { return state_->predictor.gpu().limit.min; }
Watts Predictor::max_power_limit() const { return state_->predictor.gpu().limit.max; }

Result<PreparedNetwork> Predictor::prepare(const Network& network, const Workload& workload) const {
  const graph::Network& fused = Access::fused(network);
  auto prepared = state_->predictor.prepare(fused, api::config_of(workload, fused));
  if (!prepared) return prepared.error();
  using PreparedState = PreparedNetwork::State;
  return PreparedNetwork(
      std::make_shared<const PreparedState>(PreparedState{state_->predictor, std::move(*prepared)}));
}

Result<Prediction> Predictor::predict(const Network& network, const Workload& workload,
                                      const ClockAndLimit& setting) const {
  const auto prepared = prepare(network, workload);
  if (!prepared) return prepared.error();
  return prepared->at(setting);
}

std::vector<std::string> bundled_models() { return predict::builtin_models(); }

}  // namespace ergon
