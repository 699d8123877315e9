#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "device/nvml/abi.h"
#include "reading.h"

namespace ergon::fake_nvml {

// When a fault holds. All that is given must be met; where nothing is, it always holds.
struct When {
  std::optional<Seconds> from, until;       // of the world's time
  std::optional<std::int64_t> after_calls;  // of this process, counted by whom the fault concerns

  bool holds(std::int64_t now_ns, std::int64_t calls) const;
};

// Calls that fail: of one function or of all, on one GPU or on all and on none.
struct FailingCall {
  std::optional<std::string> function;
  std::optional<std::size_t> gpu;
  When when;
  device::nvml::Return result = device::nvml::Return::unknown;
};

struct SlowCall {
  std::optional<std::string> function;
  Seconds by;
};

// A reading that the GPU does not have after all.
struct MissingReading {
  std::optional<std::size_t> gpu;
  Reading reading = Reading::usage;
};

// A field value, by NVML's number for it.
struct MissingField {
  std::optional<std::size_t> gpu;
  unsigned field = 0;
};

// A reading that stays what it was at a moment.
struct StuckReading {
  std::optional<std::size_t> gpu;
  Reading reading = Reading::usage;
  Seconds from;
};

// A reading that is something else for a while, or each `every`-th time that this process asks for it.
struct AbsurdReading {
  std::optional<std::size_t> gpu;
  Reading reading = Reading::usage;
  double value = 0;  // watts, joules or degrees
  When when;
  std::optional<std::int64_t> every;
};

struct Faults {
  bool no_driver = false;  // initialising fails
  std::vector<FailingCall> failing;
  std::vector<SlowCall> slow;
  std::vector<MissingReading> missing;
  std::vector<MissingField> missing_fields;
  std::vector<StuckReading> stuck;
  std::vector<AbsurdReading> absurd;
};

// "no_permission" and its kin, as in device/nvml/abi.h.
std::optional<device::nvml::Return> return_called(std::string_view name);

// Adds the fault that a JSON object describes; docs/fake-nvml.md lists them. Errors name `source` and the
// field.
Result<> add_fault(Faults& faults, std::string_view json, const std::string& source, std::size_t gpus);

}  // namespace ergon::fake_nvml
