#pragma once

#include <string>
#include <vector>

#include "profile/dataset.h"

namespace ergon::profile::test {

// Rows with all columns filled, distinguished by number.
inline Row some_operation(std::int64_t number, std::int64_t session = 1) {
  Row row;
  row.subject = {Subject::Kind::operation, "00000000000000" + std::to_string(10 + number), "conv",
                 "kernel=3x3 stride=2x2 out=64", "32x64x56x56 32x64x56x56"};
  row.condition = {32, graph::Mode::training, device::Precision::fp16, Layout::nhwc};
  row.launch = Launch::replay;
  row.requested_clock = Hertz{1.41e9};
  row.device = "GPU-5c2a";
  row.repeat = 0;
  row.iterations = 1000;
  row.instances = 4;
  row.time = Seconds{1.25e-4 * static_cast<double>(1 + number)};
  row.time_deviation = Seconds{3e-6};
  row.host_time = Seconds{2e-5};
  row.proportion = 1.01;
  row.power = Watts{251.3};
  row.power_deviation = Watts{1.5};
  row.readings = 90;
  row.readings_dropped = 2;
  row.energy = Joules{0.03125};
  row.energy_uncertainty = Joules{0.001};
  row.energy_statistical = Joules{0.0005};
  row.clock_min = Hertz{1.395e9};
  row.clock_max = Hertz{1.41e9};
  row.temperature_before = Celsius{41};
  row.temperature_after = Celsius{44.5};
  row.macs = 115605504;
  row.flops = 231211008;
  row.bytes = 38535168;
  row.weight_bytes = 147456;
  row.valid = number % 2 == 0;
  if (!row.valid) row.reasons = {"clock_moved", "too_short"};
  row.at = Timestamp{1'714'560'000'000'000'000 + number * 1'000'000};
  row.session = session;
  return row;
}

inline Row some_network(std::int64_t number, std::int64_t session = 1) {
  Row row = some_operation(number, session);
  row.subject = {Subject::Kind::network, "net" + std::to_string(number), "net" + std::to_string(number), "",
                 "32x3x224x224"};
  return row;
}

inline Composition some_composition(std::int64_t number) {
  Composition composition{"net" + std::to_string(number), 32, graph::Mode::training, {}};
  for (std::int64_t i = 0; i <= number; ++i) {
    composition.parts.push_back({some_operation(i).subject.id, 1 + i});
  }
  return composition;
}

}  // namespace ergon::profile::test
