#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/plants/arrivals.h"
#include "control/plants/plant.h"
#include "control/surfaces/surface.h"
#include "device/twin/precision.h"

namespace ergon::control {

enum class TargetKind : std::uint8_t { twin, trace, gpu };
std::string_view name_of(TargetKind kind);

// A plant, with what is known about it before the run.
struct Target {
  std::shared_ptr<const void> resources;  // used by the plant; outlives it
  std::unique_ptr<Plant> plant;
  std::shared_ptr<const Surface> prior;  // empty: generic prior
  std::shared_ptr<const Surface> truth;  // empty: unknown
  Watts max_power;                       // maximum power of the device
  TargetKind kind = TargetKind::twin;
  std::string network;
  std::optional<std::string> device;
  std::string description;           // "resnet50, tf32, on v100 (simulated board, seed 1)"
  std::vector<std::string> remarks;  // batches that do not fit
};

struct TargetSettings {
  device::Precision precision = device::Precision::tf32;
  std::vector<std::int64_t> batches;  // ascending, distinct; empty: the default batches
  bool may_set_clock = true;
  std::optional<double> arrival_rate;  // requests per second; empty: closed arrivals
  std::optional<Seconds> latency;      // bound on the 99th percentile over requests
  std::uint64_t seed = 1;

  Arrivals arrivals() const;
  // Bound on the duration of a batch that keeps the latency bound. With open arrivals it is half the bound: a
  // request that arrives when a batch has just started waits for that batch and then for its own.
  std::optional<Seconds> batch_latency() const;
};

}  // namespace ergon::control
