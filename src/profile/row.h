#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "base/units.h"
#include "profile/condition.h"

namespace ergon::profile {

// What was run: one operation, or a whole network.
struct Subject {
  enum class What : std::uint8_t { operation, network };
  What what = What::operation;
  std::string id;          // of a network its name; of an operation 16 hexadecimal digits of all that follows
  std::string name;        // "resnet50"; "conv", "attention"
  std::string attributes;  // what tells operations of a kind apart: "kernel=3x3 stride=2x2 out=64"
  std::string inputs;      // extents at this batch: "32x64x56x56 32x64x56x56"
};

// How work reaches the device: call by call, or recorded once and replayed.
enum class Launch : std::uint8_t { eager, replay };
std::string_view name_of(Launch launch);

// What tells rows apart. No two rows of a dataset share one.
struct Key {
  Subject::What what = Subject::What::operation;
  std::string subject;  // Subject::id
  Condition condition;
  Launch launch = Launch::eager;
  std::optional<Hertz> clock;  // that was asked for; nothing: the device's own
  std::string device;          // its UUID
  std::int64_t repeat = 0;

  friend auto operator<=>(const Key&, const Key&) = default;
};

// How a row ended.
enum class Status : std::uint8_t {
  measured,
  out_of_memory,
  unsupported,  // the engine cannot run it; `detail` says what
  failed,       // it broke while it ran
};
std::string_view name_of(Status status);

// One measured operation or network. Everything is per iteration unless it says otherwise; what was not
// measured is absent.
struct Row {
  Subject subject;
  Condition condition;
  Launch launch = Launch::eager;
  std::optional<Hertz> clock_asked;
  std::string device;  // UUID
  std::int64_t repeat = 0;

  Status status = Status::measured;
  std::string detail;  // of what went wrong

  std::int64_t iterations = 0;  // in all
  std::int64_t instances = 0;   // with weights of their own, run in turn
  std::optional<Seconds> time, time_deviation;
  std::optional<Seconds> host_time;  // that the host needs to ask for it, when nothing holds it up
  // Time per iteration of a short run, as a share of that of the long one: 1 where time is proportional.
  std::optional<double> proportion;

  std::optional<Watts> power, power_deviation;  // steady: three-sigma mean (thesis, 3.1 to 3.3)
  std::int64_t readings = 0, readings_dropped = 0;
  std::optional<Joules> energy;              // of the whole window, over the iterations
  std::optional<Joules> energy_uncertainty;  // half the 95 % interval
  std::optional<Joules> energy_statistical;  // the same between runs on one board

  std::optional<Hertz> clock_slowest, clock_fastest;  // as observed
  std::optional<Celsius> temperature_before, temperature_behind;

  std::int64_t macs = 0, flops = 0, bytes = 0, weight_bytes = 0;  // by the graph's own count

  bool valid = true;
  std::vector<std::string> reasons;  // codes that speak against it: docs/profile.md
  bool simulated = false;
  Timestamp at;
  std::int64_t session = 0;  // of the dataset's sidecar

  Key key() const;
};

}  // namespace ergon::profile
