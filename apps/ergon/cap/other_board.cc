#include "cap/other_board.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/statistics/distributions.h"

namespace ergon::app {
namespace {

constexpr double kBoards = 0.05, kHosts = 0.15;
// The noise of the sensor begins with the seed itself.
constexpr std::uint64_t kOtherStream = 0x9e3779b97f4a7c15;

class Factors {
 public:
  explicit Factors(std::uint64_t seed) : random_(seed ^ kOtherStream) {}

  double next(double deviation) {
    // Never 0 nor 1, where the quantile is not finite.
    const double share = (static_cast<double>(random_.below(kSteps)) + 0.5) / static_cast<double>(kSteps);
    return std::exp(deviation * statistics::normal_quantile(share));
  }

 private:
  static constexpr std::uint64_t kSteps = std::uint64_t{1} << 40;
  Random random_;
};

}  // namespace

device::Specification other_board(device::Specification gpu, std::uint64_t seed) {
  Factors factors(seed);
  device::PowerModel& power = gpu.power;
  for (Watts* each : {&power.busy, &power.resident, &power.bare}) *each = *each * factors.next(kBoards);
  power.memory = power.memory * factors.next(kBoards);
  for (Joules* each : {&power.simt_flop, &power.tensor_flop, &power.half_flop})
    *each = *each * factors.next(kBoards);
  for (double* each : {&gpu.kernels.stream, &gpu.kernels.tensor, &gpu.kernels.simt})
    *each = std::min(1.0, *each * factors.next(kBoards));
  gpu.host.inference = gpu.host.inference * factors.next(kHosts);
  return gpu;
}

}  // namespace ergon::app
