#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/statistics/counted_values.h"
#include "base/statistics/quantile_sketch.h"
#include "fleet/account/event.h"
#include "fleet/account/event_totals.h"
#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// Distributions of the durations, powers and energies of events of one name and level.
struct EventDistribution {
  statistics::CountedValues durations_ns;
  statistics::QuantileSketch power, energy;  // in W and J

  void merge(const EventDistribution& other) {
    durations_ns.merge(other.durations_ns);
    power.merge(other.power);
    energy.merge(other.energy);
  }
  friend bool operator==(const EventDistribution&, const EventDistribution&) = default;
};

// A host: its code in this run, and the hash of its name, which is the same in every run.
struct HostKey {
  Code code = kNoCode;
  std::uint64_t hash = 0;
};

struct LongEvent {
  Event event;
  HostKey host;
  std::optional<Joules> energy;  // EventTelemetry::own_energy()
};

// Number of longest events that are kept for each event name.
inline constexpr std::size_t kMaxLongEvents = 20;

// Statistics over all hosts. Each thread has its own accumulator; merging them is exact in any order.
class FleetAccumulator {
 public:
  void add(const Event& event, const HostKey& host, const EventTelemetry& telemetry, bool outermost);
  void merge(const FleetAccumulator& other);

  using Key = std::pair<std::uint16_t, std::uint16_t>;  // event and level
  std::map<Key, EventDistribution> distributions;
  std::map<std::uint16_t, std::vector<LongEvent>> longest;  // by event
  std::vector<std::uint64_t> tasks;                         // hashes, with duplicates

 private:
  void keep(const LongEvent& event);
};

// Orders by descending duration, then by start, task and host, so that the order is unique.
bool longer(const LongEvent& a, const LongEvent& b);

}  // namespace ergon::fleet
