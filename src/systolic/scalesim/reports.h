#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "systolic/layer_run.h"
#include "systolic/replay/semantics.h"

namespace ergon::systolic::scalesim {

// SCALE-Sim's three reports, byte for byte: fields separated by ", ", a comma at the end of each line,
// numbers formatted as in Python.
std::string compute_report(std::span<const LayerRun> layers, Semantics semantics);
std::string bandwidth_report(std::span<const LayerRun> layers);
std::string access_report(std::span<const LayerRun> layers);

// Writes COMPUTE_REPORT.csv, BANDWIDTH_REPORT.csv and DETAILED_ACCESS_REPORT.csv to a folder, which is
// created if necessary.
Result<> write_reports(const std::filesystem::path& folder, std::span<const LayerRun> layers,
                       Semantics semantics);

// The shortest text that parses as this number: with ".0" after integers, with an exponent below 1e-4 and
// from 1e16 on.
std::string python_text(double number);

}  // namespace ergon::systolic::scalesim
