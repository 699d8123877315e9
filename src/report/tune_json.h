#pragma once

#include <nlohmann/json_fwd.hpp>

#include "predict/tune/tune.h"

namespace ergon::report {

nlohmann::ordered_json operating_point_json(const predict::OperatingPoint& point,
                                            const predict::Prices& prices);

// The question, the choice beside default settings, every device, what latency buys, and the front.
nlohmann::ordered_json tune_json(const predict::Answer& answer, const predict::Question& question);

}  // namespace ergon::report
