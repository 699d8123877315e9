#include "allocate/runtime/follow.h"

#include "allocate/runtime/governor.h"

namespace ergon::allocate {
namespace {

Setting setting_of(const schedule::Row& row, const Hardware& hardware) {
  const double word_rate = hardware.bandwidth(1).si();
  Setting setting{Hertz{row.frequency_hz}, row.bandwidth_bytes_per_second / word_rate, {}};
  if (row.tail_after_line >= 0) {
    setting.tail = Tail{static_cast<std::int64_t>(row.tail_after_line), Hertz{row.tail_frequency_hz}};
  }
  return setting;
}

}  // namespace

Result<Followed> follow(const schedule::File& plan, const Hardware& hardware, SimulatedAccelerator& plant,
                        std::size_t times, bool corrected, const std::stop_token& stop) {
  GovernorState state;
  Followed followed;
  for (std::size_t run = 0; run < times; ++run) {
    if (stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    for (std::size_t layer = 0; layer < plan.layers.size(); ++layer) {
      const std::size_t row = corrected ? choose_row(plan, state, layer) : 0;
      const Seconds measured = plant.run(layer, setting_of(plan.layers[layer].rows[row], hardware));
      observe(plan, state, layer, row, measured);
      followed.corrected += row == 0 ? 0 : 1;
    }
    plant.finish();
  }
  followed.time = plant.now();
  followed.energy = plant.energy();
  return followed;
}

}  // namespace ergon::allocate
