#include "allocate/runtime/follow_comparison.h"

#include <vector>

#include "allocate/runtime/schedule_writer.h"

namespace ergon::allocate {

SimulatedAccelerator::Neighbor alternating_neighbor(Seconds period, double left) {
  return [=](Seconds now) {
    auto past = static_cast<std::uint64_t>((now / period).si());
    const auto end = [&] { return period * static_cast<double>(past + 1); };
    while (end() <= now) ++past;  // a quotient may be rounded down
    return SimulatedAccelerator::Phase{past % 2 == 0 ? 1.0 : left, end()};
  };
}

Result<FollowComparison> compare_following(const std::string& network, const Schedule& schedule,
                                           std::span<const LayerDemand> demands, const Hardware& hardware,
                                           const NeighborScenario& scenario, const std::stop_token& stop) {
  const schedule::File file = make_schedule_file(network, hardware, schedule);
  const Seconds period = schedule.simulated * static_cast<double>(scenario.period);
  const auto run = [&](bool corrected) -> Result<FollowedRun> {
    SimulatedAccelerator accelerator(hardware, std::vector(demands.begin(), demands.end()),
                                     alternating_neighbor(period, 1 - scenario.taken));
    const auto followed = follow(file, hardware, accelerator, scenario.runs, corrected, stop);
    if (!followed) return followed.error();
    return FollowedRun{*followed, accelerator.energy()};
  };
  const auto uncorrected = run(false);
  if (!uncorrected) return uncorrected.error();
  const auto corrected = run(true);
  if (!corrected) return corrected.error();
  return FollowComparison{*uncorrected, *corrected};
}

}  // namespace ergon::allocate
