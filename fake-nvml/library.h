#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "device/nvml/abi.h"
#include "product.h"
#include "world.h"

namespace ergon::fake_nvml {

using device::nvml::DeviceHandle;
using device::nvml::Return;

// The library as one process has it: how often it was initialised, its world, and the order in which every
// call is checked: initialised, known to the driver, spoiled by a fault, on a device that exists. Whatever a
// call does besides is its body, which runs with all of that done, one at a time.
//
// As the real library, it is not initialised in a child that was forked.
class Library {
 public:
  // The one of this process: the interface has no place where a caller could keep it.
  static Library& here();

  Return init();
  Return shutdown();

  // Body: Return(World&).
  template <typename Body>
  Return call(std::string_view function, const Body& body) {
    std::unique_lock lock(mutex_);
    const Return entered = enter(function, std::nullopt, lock);
    return entered == Return::success ? body(*world_) : entered;
  }

  // A GPU, to the body of a call.
  struct Visit {
    std::size_t index;
    Gpu& gpu;
    const Seat& seat;
    const Product& product;
    World& world;
    Library& library;
  };
  // Body: Return(const Visit&).
  template <typename Body>
  Return call(std::string_view function, DeviceHandle device, const Body& body) {
    std::unique_lock lock(mutex_);
    const auto index = index_of(device);
    const Return entered = enter(function, index, lock);
    if (entered != Return::success) return entered;
    return index ? body(visit(*index)) : Return::invalid_argument;
  }

  // What a fault makes of a call, on a GPU or on none; success where no fault holds.
  Return fault_of(std::string_view function, std::optional<std::size_t> gpu) const;
  // Whether a fault takes a field value away.
  bool misses_field(const Visit& visit, unsigned field) const;
  // A reading with what faults make of it, in watts, joules or degrees. Nothing: this GPU does not have it.
  std::optional<double> read(const Visit& visit, Reading reading);
  // The buffer of power samples, oldest first, or nothing.
  std::optional<std::vector<device::Twin::PowerUpdate>> samples(const Visit& visit);

  // Contract: index < the number of devices; inside a call.
  static DeviceHandle handle_of(std::size_t index);
  std::optional<std::size_t> index_of(DeviceHandle device) const;

  // What went wrong last in this library's own functions, and in reading scenarios.
  const std::string& last_error() const { return last_error_; }
  // A failure of the world as a return code; the message goes to last_error().
  Return give_up(const Error& error);

 private:
  Return enter(std::string_view function, std::optional<std::size_t> gpu, std::unique_lock<std::mutex>& lock);
  Return open_world();
  bool initialised();
  Visit visit(std::size_t index);
  bool misses(const Visit& visit, Reading reading) const;
  // `number` counts readings of that kind; without one, this process's own are counted here.
  double spoiled(const Visit& visit, Reading reading, std::int64_t at_ns, std::optional<std::int64_t> number,
                 double value);

  std::mutex mutex_;
  std::int64_t initialised_ = 0;
  pid_t by_ = 0;
  std::optional<World> world_;
  std::vector<Product> products_;
  std::int64_t calls_ = 0;
  std::vector<std::int64_t> calls_on_;  // of each device
  std::vector<std::int64_t> reads_;     // for each absurd fault
  std::string last_error_;
};

}  // namespace ergon::fake_nvml
