#include "control/plants/other_board.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace ergon::control {
namespace {

constexpr double kBoardDeviation = 0.05, kHostDeviation = 0.15;
// Makes the stream independent of the sensor noise, which uses the seed itself.
constexpr std::uint64_t kOtherStream = 0x9e3779b97f4a7c15;

}  // namespace

device::Specification other_board(device::Specification gpu, std::uint64_t seed) {
  Random random(seed ^ kOtherStream);
  const auto factor = [&](double deviation) { return std::exp(deviation * random.normal()); };
  device::PowerModel& power = gpu.power;
  for (Watts* each : {&power.busy, &power.resident, &power.bare}) *each = *each * factor(kBoardDeviation);
  power.memory = power.memory * factor(kBoardDeviation);
  for (Joules* each : {&power.simt_flop, &power.tensor_flop, &power.half_flop})
    *each = *each * factor(kBoardDeviation);
  for (double* each : {&gpu.kernels.stream, &gpu.kernels.tensor, &gpu.kernels.simt})
    *each = std::min(1.0, *each * factor(kBoardDeviation));
  gpu.host.inference = gpu.host.inference * factor(kHostDeviation);
  return gpu;
}

}  // namespace ergon::control
