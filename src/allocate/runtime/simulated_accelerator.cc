#include "allocate/runtime/simulated_accelerator.h"

#include <algorithm>

#include "allocate/layer_energy.h"
#include "allocate/runtime/schedule_writer.h"
#include "base/contract.h"

namespace ergon::allocate {

LayerTime SimulatedAccelerator::time_at(std::size_t layer, const LayerSetting& setting, double share,
                                        int switches) {
  const std::int64_t tail_after = setting.tail ? setting.tail->after_line : -1;
  const Key key{layer, setting.clock, setting.leaves_at(), tail_after, setting.words, share, switches};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const Hardware left = with_share(hardware_, share);
  LayerSetting possible = setting;
  possible.words = std::min(setting.words, left.words_per_cycle);
  return known_[key] = SimulatedTimes(left).of(demands_[layer], possible, switches);
}

Result<Seconds> SimulatedAccelerator::run(std::size_t layer, const LayerSetting& setting) {
  const bool switches = setting.clock != clock_;
  const Seconds begin = now_;
  Seconds waited;
  for (double left = 1; left > 0;) {
    const Phase phase = neighbor_(now_);
    ERGON_EXPECTS(phase.until > now_);
    const LayerTime whole = time_at(layer, setting, phase.share, switches ? 1 : 0);
    const double possible = ((phase.until - now_) / whole.total).si();
    const double done = std::min(left, possible);
    now_ = done < left ? phase.until : now_ + whole.total * done;
    waited += whole.stall * done;
    left = done < left ? left - done : 0;
  }
  const LayerTime taken{now_ - begin, waited};
  const int changes = (switches ? 1 : 0) + (setting.tail ? 1 : 0);
  energy_ +=
      layer_energy(demands_[layer], hardware_, setting, taken).total() + hardware_.switch_energy() * changes;
  clock_ = setting.leaves_at();
  return taken.total;
}

Result<Seconds> SimulatedAccelerator::finish() {
  if (clock_ == hardware_.clock) return Seconds{0};
  now_ += hardware_.switch_time;
  energy_ += hardware_.switch_energy();
  clock_ = hardware_.clock;
  return hardware_.switch_time;
}

}  // namespace ergon::allocate
