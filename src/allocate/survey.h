#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "allocate/hardware.h"
#include "allocate/plan.h"
#include "allocate/schedule.h"
#include "base/result.h"
#include "systolic/array/layer.h"

namespace ergon::allocate {

struct NamedNetwork {
  std::string name;
  std::vector<systolic::Layer> layers;
};

struct Configuration {
  std::string accelerator, memory;
  Hardware hardware;
  std::optional<MemoryPower> memory_power;  // for methods that include it
};

// A named set of planning parameters.
struct PlanMethod {
  std::string name;
  PlanRequest request;
  bool in_arada_time = false;            // greedy and optimal use AradaTimes
  std::optional<Seconds> switch_time{};  // overrides the hardware's
  std::optional<double> switch_power{};
  std::optional<Hertz> clock_step{};
  enum class MemoryEnergy : std::uint8_t {
    excluded,
    included,
    follows_demand
  } memory = MemoryEnergy::excluded;
};

// Schedules of every network on every configuration with every method.
struct Survey {
  std::vector<std::string> networks;
  std::vector<Configuration> configurations;
  std::vector<PlanMethod> methods;
  std::vector<Schedule> schedules;

  const Schedule& at(std::size_t configuration, std::size_t network, std::size_t method) const {
    return schedules[(configuration * networks.size() + network) * methods.size() + method];
  }

  // Mean of value(schedule) over the networks.
  template <typename Value>
  double mean(std::size_t configuration, std::size_t method, const Value& value) const {
    double sum = 0;
    for (std::size_t network = 0; network < networks.size(); ++network) {
      sum += value(at(configuration, network, method));
    }
    return sum / static_cast<double>(networks.size());
  }
};

// Runs on `workers` threads; 0: one per hardware thread.
Result<Survey> survey(std::span<const NamedNetwork> networks, std::vector<Configuration> configurations,
                      std::vector<PlanMethod> methods, std::size_t workers = 0,
                      const std::stop_token& stop = {});

}  // namespace ergon::allocate
