#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "base/units.h"
#include "profile/run_condition.h"

namespace ergon::profile {

// The measured operation or network.
struct Subject {
  enum class Kind : std::uint8_t { operation, network };
  Kind kind = Kind::operation;
  std::string id;          // network: its name; operation: hash of the fields below, 16 hexadecimal digits
  std::string name;        // network "resnet50"; operation type "conv", "attention"
  std::string attributes;  // of an operation: "kernel=3x3 stride=2x2 out=64"
  std::string inputs;      // shapes at this batch: "32x64x56x56 32x64x56x56"
};

// How kernels are launched: one by one, or as a replayed CUDA graph.
enum class Launch : std::uint8_t { eager, replay };
std::string_view name_of(Launch launch);

// Identity of a row; unique in a dataset.
struct Key {
  Subject::Kind kind = Subject::Kind::operation;
  std::string subject;  // Subject::id
  RunCondition condition;
  Launch launch = Launch::eager;
  std::optional<Hertz> clock;  // requested; absent: default clock
  std::string device;          // UUID
  std::int64_t repeat = 0;

  friend auto operator<=>(const Key&, const Key&) = default;
};

// Result of a row.
enum class Status : std::uint8_t {
  measured,
  out_of_memory,
  unsupported,  // by the engine; `detail` names the operation
  failed,       // error while running
};
std::string_view name_of(Status status);

// One measured operation or network. Values are per iteration unless noted; values that were not measured are
// absent.
struct Row {
  Subject subject;
  RunCondition condition;
  Launch launch = Launch::eager;
  std::optional<Hertz> requested_clock;
  std::string device;  // UUID
  std::int64_t repeat = 0;

  Status status = Status::measured;
  std::string detail;  // error message

  std::int64_t iterations = 0;  // total
  std::int64_t instances = 0;   // copies with separate weights, used in rotation
  std::optional<Seconds> time, time_deviation;
  std::optional<Seconds> host_time;  // launch time on the host, without waiting for the device
  // Time per iteration of a short run divided by that of the long run: 1 if time is proportional to
  // iterations.
  std::optional<double> proportion;

  std::optional<Watts> power, power_deviation;  // mean of readings within three sigma (thesis, 3.1 to 3.3)
  std::int64_t readings = 0, readings_dropped = 0;
  std::optional<Joules> energy;              // energy of the window / iterations
  std::optional<Joules> energy_uncertainty;  // half of the 95 % interval
  std::optional<Joules> energy_statistical;  // the same for comparing runs on one board

  std::optional<Hertz> clock_min, clock_max;  // observed
  std::optional<Celsius> temperature_before, temperature_after;

  std::int64_t macs = 0, flops = 0, bytes = 0, weight_bytes = 0;  // from the graph

  bool valid = true;
  std::vector<std::string> reasons;  // why it is not valid: codes of docs/profile.md
  bool simulated = false;
  Timestamp at;
  std::int64_t session = 0;  // number in provenance.json

  Key key() const;
};

}  // namespace ergon::profile
