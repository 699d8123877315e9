#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/statistics/counted_values.h"
#include "base/statistics/quantile_sketch.h"
#include "fleet/account/cell.h"
#include "fleet/account/event.h"
#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// How events of one name and level differ from each other.
struct Spread {
  statistics::CountedValues durations_ns;
  statistics::QuantileSketch power, energy;  // in W and J

  void merge(const Spread& other) {
    durations_ns.merge(other.durations_ns);
    power.merge(other.power);
    energy.merge(other.energy);
  }
  friend bool operator==(const Spread&, const Spread&) = default;
};

// Where something happened: the number of this run, and one that is the same in every run.
struct HostMark {
  Code code = kNobody;
  std::uint64_t hash = 0;
};

// An event that took long.
struct LongEvent {
  Event event;
  HostMark host;
  Joules energy;
};

// The longest events of each name are kept.
inline constexpr std::size_t kLongestKept = 20;

// What does not belong to a host. Each thread gathers for itself; whole numbers are added up in any order.
class Gathered {
 public:
  void add(const Event& event, const HostMark& host, const Joined& joined, bool outermost);
  void merge(const Gathered& other);

  using Key = std::pair<std::uint16_t, std::uint16_t>;  // event and level
  std::map<Key, Spread> spreads;
  std::map<std::uint16_t, std::vector<LongEvent>> longest;  // by event
  std::vector<std::uint64_t> tasks;                         // some of them more than once

 private:
  void keep(const LongEvent& event);
};

// Longer first; then by start, task and host, so that the order is one.
bool longer(const LongEvent& a, const LongEvent& b);

}  // namespace ergon::fleet
