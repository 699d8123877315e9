#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "systolic/layer_run.h"
#include "systolic/semantics.h"

namespace ergon::systolic::scalesim {

// SCALE-Sim's three reports, byte for byte: fields behind ", ", a comma at the end of each line, numbers as
// Python writes them.
std::string compute_report(std::span<const LayerRun> layers, Semantics semantics);
std::string bandwidth_report(std::span<const LayerRun> layers);
std::string access_report(std::span<const LayerRun> layers);

// COMPUTE_REPORT.csv, BANDWIDTH_REPORT.csv and DETAILED_ACCESS_REPORT.csv in a folder, which is made when it
// is not there.
Result<> write_reports(const std::filesystem::path& folder, std::span<const LayerRun> layers,
                       Semantics semantics);

// The shortest text that reads back as this number: with ".0" behind whole numbers, with an exponent below
// 1e-4 and from 1e16 on.
std::string python_text(double number);

}  // namespace ergon::systolic::scalesim
