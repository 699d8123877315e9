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
#include "systolic/layer.h"

namespace ergon::allocate {

struct NamedNetwork {
  std::string name;
  std::vector<systolic::Layer> layers;
};

struct Configuration {
  std::string accelerator, memory;
  Hardware hardware;
  std::optional<MemoryPower> memory_power;  // for methods that put it on the bill
};

// A way to plan, by name.
struct Method {
  std::string name;
  Request request;
  bool in_promised_time = false;         // greedy and optimal in ARADA's view of time
  std::optional<Seconds> switch_time{};  // in place of the hardware's
  std::optional<double> switch_power{};
  std::optional<Hertz> clock_step{};
  enum class Memory : std::uint8_t {
    off_the_bill,
    on_the_bill,
    follows_demand
  } memory = Memory::off_the_bill;
};

// Every network on every configuration by every method.
struct Survey {
  std::vector<std::string> networks;
  std::vector<Configuration> configurations;
  std::vector<Method> methods;
  std::vector<Schedule> schedules;

  const Schedule& at(std::size_t configuration, std::size_t network, std::size_t method) const {
    return schedules[(configuration * networks.size() + network) * methods.size() + method];
  }

  // Of the networks: `value` is taken from each schedule.
  template <typename Value>
  double mean(std::size_t configuration, std::size_t method, const Value& value) const {
    double sum = 0;
    for (std::size_t network = 0; network < networks.size(); ++network) {
      sum += value(at(configuration, network, method));
    }
    return sum / static_cast<double>(networks.size());
  }
};

// On `workers` threads (0: as many as there are).
Result<Survey> survey(std::span<const NamedNetwork> networks, std::vector<Configuration> configurations,
                      std::vector<Method> methods, std::size_t workers = 0, const std::stop_token& stop = {});

}  // namespace ergon::allocate
