#include "cap/other_board.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace ergon::app {
namespace {

constexpr double kBoards = 0.05, kHosts = 0.15;
// The noise of the sensor begins with the seed itself.
constexpr std::uint64_t kOtherStream = 0x9e3779b97f4a7c15;

}  // namespace

device::Specification other_board(device::Specification gpu, std::uint64_t seed) {
  Random random(seed ^ kOtherStream);
  const auto factor = [&](double deviation) { return std::exp(deviation * random.normal()); };
  device::PowerModel& power = gpu.power;
  for (Watts* each : {&power.busy, &power.resident, &power.bare}) *each = *each * factor(kBoards);
  power.memory = power.memory * factor(kBoards);
  for (Joules* each : {&power.simt_flop, &power.tensor_flop, &power.half_flop})
    *each = *each * factor(kBoards);
  for (double* each : {&gpu.kernels.stream, &gpu.kernels.tensor, &gpu.kernels.simt})
    *each = std::min(1.0, *each * factor(kBoards));
  gpu.host.inference = gpu.host.inference * factor(kHosts);
  return gpu;
}

}  // namespace ergon::app
