#pragma once

#include <nlohmann/json_fwd.hpp>

#include "predict/tune/tune.h"

namespace ergon::report {

nlohmann::ordered_json operating_point_json(const predict::OperatingPoint& point, const Prices& prices);

// The request, the choice, default settings, every device, energy at other latencies and the Pareto front.
nlohmann::ordered_json tune_json(const predict::TuneResult& result, const predict::TuneRequest& request);

}  // namespace ergon::report
