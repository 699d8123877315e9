#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "predict/fit.h"
#include "predict/forecast.h"
#include "predict/predictor.h"

namespace ergon::report {

// {value, low, high}
template <typename Q>
nlohmann::ordered_json expected_json(const predict::Expected<Q>& expected);

// What `ergon predict` says of a network at a setting, with its operations.
nlohmann::ordered_json forecast_json(const predict::Outlook& outlook, const device::Setting& setting);

// Time, power and energy over the clock, in up to 64 steps between the device's lowest and highest; clocks
// that a power limit does not let it reach are left out.
nlohmann::ordered_json forecast_curve_json(const predict::Outlook& outlook, const device::Specification& gpu,
                                           const std::optional<Watts>& limit);

nlohmann::ordered_json scores_json(const std::vector<predict::Score>& scores);

// A model's sources and scores, and every network that was held back.
nlohmann::ordered_json fit_json(const predict::Fitted& fitted, const std::string& out);

nlohmann::ordered_json held_back_json(const std::vector<predict::HeldBack>& held_back);

}  // namespace ergon::report
