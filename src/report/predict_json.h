#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "predict/learn/evaluation.h"
#include "predict/learn/fit.h"
#include "predict/prediction.h"
#include "predict/predictor.h"

namespace ergon::report {

// {value, low, high}
template <typename Q>
nlohmann::ordered_json predicted_value_json(const predict::PredictedValue<Q>& expected);

// A prediction at one setting, with its operations.
nlohmann::ordered_json prediction_json(const predict::PreparedNetwork& prepared,
                                       const device::ClockAndLimit& setting);

// The same with what was predicted, and curves over the clock of the alternatives, if there are any: the body
// of `ergon predict --json`.
nlohmann::ordered_json predict_json(const std::string& network, const predict::Predictor& predictor,
                                    const predict::PreparedNetwork& prepared,
                                    const device::ClockAndLimit& setting,
                                    const std::vector<predict::PreparedNetwork>& alternatives = {});

// Time, power and energy at up to 64 clocks from the device's lowest to its highest. Clocks that the power
// limit prevents are omitted.
nlohmann::ordered_json prediction_curve_json(const predict::PreparedNetwork& prepared,
                                             const device::Specification& gpu,
                                             const std::optional<Watts>& limit);

// The curves of a network at several batches and precisions. `default` marks those of the requested
// configuration.
nlohmann::ordered_json prediction_curves_json(const std::vector<predict::PreparedNetwork>& alternatives,
                                              const predict::WorkloadConfig& requested,
                                              const device::Specification& gpu,
                                              const std::optional<Watts>& limit);

nlohmann::ordered_json scores_json(const std::vector<predict::Score>& scores);

// A model's training data and accuracy, and every held-out network.
nlohmann::ordered_json fit_json(const predict::FitResult& fitted, const std::string& out);

nlohmann::ordered_json held_out_json(const std::vector<predict::HeldOutNetwork>& held_out);

// Scores and held-out networks of one device.
nlohmann::ordered_json evaluation_json(const std::string& device, const predict::Evaluation& evaluation);

}  // namespace ergon::report
