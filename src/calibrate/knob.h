#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calibrate/simplex.h"
#include "device/twin/specification.h"

namespace ergon::calibrate {

// A number of a twin that the calibration may turn, within the range that is physical.
struct Knob {
  std::string path;
  Range range;
  std::function<double(const device::Specification&)> read;
  std::function<void(device::Specification&, double)> set;
};

// By path, with the range of the device files or a narrower one.
Knob knob(const std::string& path);
Knob knob(const std::string& path, Range range);

// The shares of the bandwidth curve, each as a share of the next, so that they always rise.
std::vector<Knob> bandwidth_knobs(const device::Specification& gpu);

// Turns the knobs of `gpu` until `loss` is least.
void turn(device::Specification& gpu, const std::vector<Knob>& knobs,
          const std::function<double(const device::Specification&)>& loss, int evaluations,
          const std::stop_token& stop);

}  // namespace ergon::calibrate
