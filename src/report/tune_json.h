#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "predict/tune/tune.h"

namespace ergon::report {

nlohmann::ordered_json operating_point_json(const predict::OperatingPoint& point, const Prices& prices);

// What was tuned (the batch of `config` is not used), the request, the choice, default settings, every
// device, energy at other latencies and the Pareto front.
nlohmann::ordered_json tune_json(const std::string& network, const predict::WorkloadConfig& config,
                                 const predict::TuneResult& result, const predict::TuneRequest& request);

}  // namespace ergon::report
