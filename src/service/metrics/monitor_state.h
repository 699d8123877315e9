#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "service/metrics/gpu_reading.h"

namespace ergon::service {

struct PowerPoint {
  Timestamp at;  // wall-clock time of the reading; not ascending if that clock was set back
  Watts power;

  friend bool operator==(const PowerPoint&, const PowerPoint&) = default;
};

// Latest reading and recent power of a device.
struct MonitoredDevice {
  GpuReading reading;
  std::vector<PowerPoint> history;             // oldest first
  std::optional<Joules> energy_since_start{};  // since the first reading; empty if energy is unknown
};

struct MonitorLimits {
  Seconds history{600};  // time span of the power history
  Seconds spacing{1};    // approximate distance of its points
  Seconds max_gap{10};   // between two readings; energy is not integrated over longer gaps
};

// State of one device. A pure function of the readings and their times: it uses no device and no clock.
//
// Energy is the device's energy counter if there is one. If the counter restarts, the total continues from
// its last value, because the energy in between is unknown. Without a counter, power is integrated from the
// first reading with the trapezoid rule; gaps longer than `max_gap` are skipped. In both cases energy never
// decreases.
//
// Power is the device's reading. If a device has only a counter (processors), power is the mean since the
// previous reading.
class MonitorState {
 public:
  // `identity` is an empty_reading().
  explicit MonitorState(const GpuReading& identity, const MonitorLimits& limits = {});

  // Contract: the same device, not earlier than the previous reading.
  void add_reading(const GpuReading& reading, Instant now);

  // The device at `now`. If the latest reading is older than `max_gap`, the device counts as not responding.
  MonitoredDevice device_at(Instant now) const;

 private:
  template <typename Q>
  struct TimedValue {
    Q value;
    Instant at;
  };
  struct HistoryEntry {
    Instant at;
    PowerPoint point;
  };

  // Time since an earlier value; empty if there is none or the gap is longer than `max_gap`.
  template <typename Q>
  std::optional<Seconds> elapsed_since(const std::optional<TimedValue<Q>>& before, Instant now) const;
  std::optional<Joules> update_total(const GpuReading& reading, Instant now);
  void add_history(const GpuReading& reading, Instant now);

  MonitorLimits limits_;
  GpuReading latest_;
  Instant latest_at_;
  std::optional<TimedValue<Watts>> power_;     // latest known
  std::optional<TimedValue<Joules>> counter_;  // latest known, as read
  Joules total_, counter_offset_;              // total = counter + offset
  std::optional<Joules> first_total_;
  std::deque<HistoryEntry> history_;
};

}  // namespace ergon::service
