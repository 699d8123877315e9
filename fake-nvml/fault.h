#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "device/nvml/abi.h"
#include "sensor_field.h"

namespace ergon::fake_nvml {

// When a fault is active: all given conditions must hold. Without conditions it is always active.
struct FaultCondition {
  std::optional<Seconds> from, until;       // simulation time
  std::optional<std::int64_t> after_calls;  // calls of this process, on the GPU of the fault if it has one

  bool holds(std::int64_t now_ns, std::int64_t calls) const;
};

// Failing calls: of one function or all, on one GPU or all calls.
struct FailingCall {
  std::optional<std::string> function;
  std::optional<std::size_t> gpu;
  FaultCondition when;
  device::nvml::Return result = device::nvml::Return::unknown;
};

struct SlowCall {
  std::optional<std::string> function;
  Seconds by;
};

// A reading that is not supported.
struct MissingReading {
  std::optional<std::size_t> gpu;
  SensorField reading = SensorField::usage;
};

// An unsupported field value, by its NVML id.
struct MissingField {
  std::optional<std::size_t> gpu;
  unsigned field = 0;
};

// A reading that is constant from a time on.
struct StuckReading {
  std::optional<std::size_t> gpu;
  SensorField reading = SensorField::usage;
  Seconds from;
};

// A reading with a wrong value, always or at every Nth read of this process.
struct AbsurdReading {
  std::optional<std::size_t> gpu;
  SensorField reading = SensorField::usage;
  double value = 0;  // W, J or degrees Celsius
  FaultCondition when;
  std::optional<std::int64_t> every;
};

struct Faults {
  bool no_driver = false;  // nvmlInit fails
  std::vector<FailingCall> failing;
  std::vector<SlowCall> slow;
  std::vector<MissingReading> missing;
  std::vector<MissingField> missing_fields;
  std::vector<StuckReading> stuck;
  std::vector<AbsurdReading> absurd;
};

// A return code by its name in device/nvml/abi.h, for example "no_permission".
std::optional<device::nvml::Return> return_code_named(std::string_view name);

// Adds the fault of a JSON object (format: docs/fake-nvml.md). Errors name `source` and the field.
Result<> add_fault(Faults& faults, std::string_view json, const std::string& source, std::size_t gpus);

}  // namespace ergon::fake_nvml
