#pragma once

#include <string>

#include "predict/tune/tune.h"
#include "report/table_style.h"

namespace ergon::app {

// Text output of `ergon tune`: the choice and default settings, the devices, energy at other latencies and
// part of the Pareto front. `what`: "resnet50, inference, tf32".
std::string tune_text(const std::string& what, const predict::TuneResult& result,
                      const predict::TuneRequest& request, const report::TableStyle& style);

}  // namespace ergon::app
