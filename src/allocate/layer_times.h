#pragma once

#include <span>
#include <vector>

#include "allocate/demand.h"
#include "allocate/hardware.h"
#include "allocate/setting.h"

namespace ergon::allocate {

struct LayerTime {
  Seconds total;
  Seconds stall;  // of it
};

// How long a layer takes when it does not run at full speed. `switches` of the clock happen on its time: 1
// when the layer before ran at another clock.
class LayerTimes {
 public:
  virtual ~LayerTimes() = default;
  virtual LayerTime of(const Demand& demand, const Setting& setting, int switches) const = 0;
};

// The simulator's answer. The memory keeps its clock and fetches on while the array stands still or is slow,
// so waits shrink by what the array takes longer; but what comes after the last wait always takes longer.
class SimulatedTimes final : public LayerTimes {
 public:
  explicit SimulatedTimes(const Hardware& hardware) : hardware_(hardware) {}
  LayerTime of(const Demand& demand, const Setting& setting, int switches) const override;

 private:
  Hardware hardware_;
};

// ARADA's assumption: work at a lower clock fills the waiting time to the last cycle before the layer gets
// longer. Less bandwidth is felt only by a layer that waits for it.
class PromisedTimes final : public LayerTimes {
 public:
  explicit PromisedTimes(const Hardware& hardware) : hardware_(hardware) {}
  LayerTime of(const Demand& demand, const Setting& setting, int switches) const override;

 private:
  Hardware hardware_;
};

// Where a layer that runs at a setting may well go on faster: after its last wait in which a change of clock
// can hide (until there it has lost nothing), and after its last miss (from there on it cannot wait for data
// any more).
std::vector<std::int64_t> tail_lines(const Demand& demand, const Hardware& hardware, const Setting& setting);

}  // namespace ergon::allocate
