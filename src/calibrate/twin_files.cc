#include "calibrate/twin_files.h"

#include <map>

#include "calibrate/fit.h"
#include "device/twin/catalog.h"

namespace ergon::calibrate {

Result<CalibratedTwins> calibrate_twins(const MeasuredTables& measured,
                                        const std::function<void(const std::string&)>& progress,
                                        const std::stop_token& stop) {
  Twins twins;
  std::map<std::string, std::string> texts;
  for (const auto& [name, text] : device::device_files()) {
    auto gpu = device::parse_specification(text, name);
    if (!gpu) return gpu.error();
    texts[std::string(name)] = text;
    twins[std::string(name)] = std::move(*gpu);
  }
  const auto fits = fit_all(measured, twins, progress, stop);
  if (!fits) return fits.error();
  // Residuals are computed with the rounded values that are written.
  for (const Fit& fit : *fits) {
    auto written = device::parse_specification(updated_file(texts[fit.gpu.name], fit, {}), fit.gpu.name);
    if (!written) return written.error();
    twins[fit.gpu.name] = std::move(*written);
  }
  CalibratedTwins calibrated;
  calibrated.accuracies = accuracy_by_table(compare(measured, twins));
  for (const Fit& fit : *fits)
    calibrated.files.push_back({fit.gpu.name, updated_file(texts[fit.gpu.name], fit, calibrated.accuracies)});
  return calibrated;
}

}  // namespace ergon::calibrate
