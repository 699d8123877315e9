#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/statistics/minimize.h"
#include "device/twin/specification.h"

namespace ergon::calibrate {

// A parameter of a twin that a calibration fits, and its range.
struct FitParameter {
  std::string path;
  statistics::SearchRange range;
  std::function<double(const device::Specification&)> read;
  std::function<void(device::Specification&, double)> set;
};

// By path, with the physical range of device files or a narrower one.
FitParameter fit_parameter(const std::string& path);
FitParameter fit_parameter(const std::string& path, statistics::SearchRange range);

// The shares of the bandwidth curve, each relative to the next point, so that the curve is always increasing.
std::vector<FitParameter> bandwidth_parameters(const device::Specification& gpu);

// Sets the parameters of `gpu` to values that minimize `loss`.
void minimize_loss(device::Specification& gpu, const std::vector<FitParameter>& parameters,
                   const std::function<double(const device::Specification&)>& loss, int evaluations,
                   const std::stop_token& stop);

}  // namespace ergon::calibrate
