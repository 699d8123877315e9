#pragma once

#include <span>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/layer_setting.h"

namespace ergon::allocate {

struct LayerTime {
  Seconds total;
  Seconds stall;  // part of total
};

// Duration of a layer at a setting. `switches` is the number of clock switches that delay it: 1 if the
// previous layer ended at another clock.
class LayerTimes {
 public:
  virtual ~LayerTimes() = default;
  virtual LayerTime of(const LayerDemand& demand, const LayerSetting& setting, int switches) const = 0;
};

// Durations from the simulator. The memory keeps its clock and prefetches while the array switches or is
// slow, so stalls shrink by the extra compute time; but the lines after the last stall always take longer.
class SimulatedTimes final : public LayerTimes {
 public:
  explicit SimulatedTimes(const Hardware& hardware) : hardware_(hardware) {}
  LayerTime of(const LayerDemand& demand, const LayerSetting& setting, int switches) const override;

 private:
  Hardware hardware_;
};

// ARADA's assumption: a lower clock uses up all stall cycles before the layer gets longer, and a lower
// bandwidth slows only a layer that stalls.
class AradaTimes final : public LayerTimes {
 public:
  explicit AradaTimes(const Hardware& hardware) : hardware_(hardware) {}
  LayerTime of(const LayerDemand& demand, const LayerSetting& setting, int switches) const override;

 private:
  Hardware hardware_;
};

// Candidate lines after which a layer continues at the highest clock: the last stall long enough to hide a
// switch (no time is lost up to there), and the last miss (no stall can follow).
std::vector<std::int64_t> tail_lines(const LayerDemand& demand, const Hardware& hardware,
                                     const LayerSetting& setting);

}  // namespace ergon::allocate
