#pragma once

#include <string>

#include "predict/tune/tune.h"
#include "report/table_style.h"

namespace ergon::app {

// For people: the choice beside default settings, the devices, what latency buys, and a few points of the
// front. `what`: "resnet50, inference, tf32".
std::string tune_text(const std::string& what, const predict::Answer& answer,
                      const predict::Question& question, const report::TableStyle& style);

}  // namespace ergon::app
