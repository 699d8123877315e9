#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "service/metrics/gpu_reading.h"

namespace ergon::service {

struct PowerPoint {
  Timestamp at;  // by the wall's clock when it was read, and hence not ascending where that was set back
  Watts power;

  friend bool operator==(const PowerPoint&, const PowerPoint&) = default;
};

// A device as others get to see it.
struct WatchedDevice {
  GpuReading reading;
  std::vector<PowerPoint> history;  // oldest first
};

struct WatchLimits {
  Seconds history{600};     // how far back power is kept
  Seconds spacing{1};       // between the points that are kept, about
  Seconds longest_gap{10};  // between readings that belong together
};

// What is remembered of one device. A pure function of the readings and their moments: it asks no device and
// no clock.
//
// Energy is the device's own counter where it has one. Should that begin anew, the total goes on from where
// it was, as what was drawn in between is unknown. Without a counter, power is integrated from the first
// reading on: a straight line between two readings (the trapezoid rule), nothing over a gap that is longer
// than `longest_gap`. Either way energy never falls.
//
// Power is the device's own reading. Where it has none but a counter (processors), it is the mean since the
// reading before.
class WatchState {
 public:
  // Nothing was read yet: unread().
  explicit WatchState(const GpuReading& who, const WatchLimits& limits = {});

  // Contract: a reading of the same device, not before the last one.
  void step(const GpuReading& reading, Instant now);

  // As of `now`: a reading that is older than `longest_gap` is not one any more, so that the device counts as
  // not answering, and the history goes as far back from `now` as it may.
  WatchedDevice seen(Instant now) const;

 private:
  template <typename Q>
  struct Seen {
    Q value;
    Instant at;
  };
  struct Kept {
    Instant at;
    PowerPoint point;
  };

  // Since an earlier reading that the one at `now` belongs together with.
  template <typename Q>
  std::optional<Seconds> since(const std::optional<Seen<Q>>& before, Instant now) const;
  std::optional<Joules> total(const GpuReading& reading, Instant now);
  void keep(const GpuReading& reading, Instant now);

  WatchLimits limits_;
  GpuReading newest_;
  Instant newest_at_;
  std::optional<Seen<Watts>> power_;     // the last that was there
  std::optional<Seen<Joules>> counter_;  // likewise, as the device gave it
  Joules total_, before_counter_;        // before_counter_: what the total is more than the counter
  std::deque<Kept> history_;
};

}  // namespace ergon::service
