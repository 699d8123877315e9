#pragma once

#include <vector>

#include "calibrate/measured.h"
#include "device/twin/specification.h"

namespace ergon::calibrate {

// What a twin expects of a program at every clock of a sweep, once the program was seen at one of them.
struct Expected {
  double time = 1;  // relative to the anchor
  Watts power;
};

// `anchor` is the index of the point that was seen: its power, and how busy it kept cores and memory.
std::vector<Expected> anchored(const Application& application, std::size_t anchor,
                               const device::Specification& gpu);

// The clock in the middle of what people use: two thirds of the way from the lowest to the highest clock.
std::size_t usual_anchor(const Application& application, const device::Specification& gpu);

}  // namespace ergon::calibrate
