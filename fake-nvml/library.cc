#include "library.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include "base/contract.h"

namespace ergon::fake_nvml {
namespace {

// Handles point here: they stay what they are while the library is initialised anew.
std::array<char, kMostDevices> handles;

// The usual field and what stands in where a GPU does not have it.
std::string_view field_of(Reading reading, const device::Twin& twin) {
  const std::string_view field = name_of(reading);
  if (reading == Reading::samples && !twin.power(field)) return name_of(Reading::usage);
  return field;
}

}  // namespace

Library& Library::here() {
  static auto* const library = new Library;  // outlives calls from other objects' destructors
  return *library;
}

DeviceHandle Library::handle_of(std::size_t index) {
  ERGON_EXPECTS(index < handles.size());
  return reinterpret_cast<DeviceHandle>(&handles[index]);
}

std::optional<std::size_t> Library::index_of(DeviceHandle device) const {
  for (std::size_t i = 0; world_ && i < world_->size(); ++i) {
    if (device == handle_of(i)) return i;
  }
  return std::nullopt;
}

// A child that was forked has its parent's memory, but the lock on the log is still its parent's.
bool Library::initialised() {
  if (by_ != getpid()) {
    initialised_ = 0;
    world_.reset();
  }
  return initialised_ > 0;
}

Return Library::give_up(const Error& error) {
  last_error_ = error.message;
  switch (error.kind) {
    case Errc::unsupported:
      return Return::not_supported;
    case Errc::permission:
      return Return::no_permission;
    case Errc::not_found:
      return Return::not_found;
    case Errc::invalid_input:
      return Return::invalid_argument;
    default:
      return Return::unknown;
  }
}

Return Library::open_world() {
  auto scenario = scenario_of_environment();
  if (scenario && scenario->faults.no_driver) return Return::driver_not_loaded;
  auto world = scenario ? World::open(*scenario, state_folder(*scenario)) : Result<World>(scenario.error());
  if (!world) {
    give_up(world.error());
    // Nobody who calls through the interface could learn what is wrong with the scenario.
    std::fprintf(stderr, "fake NVML: %s\n", last_error_.c_str());
    return Return::unknown;
  }
  world_.emplace(std::move(*world));
  products_.clear();
  for (const Seat& seat : world_->scenario().seats) products_.push_back(product_of(seat.gpu));
  calls_ = 0;
  calls_on_.assign(world_->size(), 0);
  reads_.assign(world_->scenario().faults.absurd.size(), 0);
  return Return::success;
}

Return Library::init() {
  const std::lock_guard lock(mutex_);
  if (!initialised()) {
    if (const Return opened = open_world(); opened != Return::success) return opened;
    by_ = getpid();
  }
  ++initialised_;
  return Return::success;
}

Return Library::shutdown() {
  const std::lock_guard lock(mutex_);
  if (!initialised()) return Return::uninitialized;
  if (--initialised_ == 0) world_.reset();
  return Return::success;
}

Return Library::enter(std::string_view function, std::optional<std::size_t> gpu,
                      std::unique_lock<std::mutex>& lock) {
  if (!initialised()) return Return::uninitialized;
  const Scenario& scenario = world_->scenario();
  if (!scenario.absent.empty() && scenario.absent.contains(std::string(function)))
    return Return::function_not_found;
  ++calls_;
  if (gpu) ++calls_on_[*gpu];
  for (const SlowCall& each : scenario.faults.slow) {
    if (each.function && *each.function != function) continue;
    const auto by = std::chrono::duration<double>(each.by.si());
    lock.unlock();
    std::this_thread::sleep_for(by);
    lock.lock();
    // Somebody may have begun anew in the meantime.
    if (!initialised() || gpu.value_or(0) >= std::max<std::size_t>(1, world_->size()))
      return Return::uninitialized;
    break;
  }
  const bool asks_who = function.find("Process") != std::string_view::npos;
  if (auto looked = world_->look(asks_who); !looked) return give_up(looked.error()), Return::unknown;
  return fault_of(function, gpu);
}

Return Library::fault_of(std::string_view function, std::optional<std::size_t> gpu) const {
  for (const FailingCall& each : world_->scenario().faults.failing) {
    if (each.function && *each.function != function) continue;
    if (each.gpu && each.gpu != gpu) continue;
    if (each.when.holds(world_->now_ns(), each.gpu ? calls_on_[*each.gpu] : calls_)) return each.result;
  }
  return Return::success;
}

Library::Visit Library::visit(std::size_t index) {
  return {index, world_->gpu(index), world_->scenario().seats[index], products_[index], *world_, *this};
}

bool Library::misses(const Visit& visit, Reading reading) const {
  const auto& missing = visit.world.scenario().faults.missing;
  return std::any_of(missing.begin(), missing.end(), [&](const MissingReading& each) {
    return each.reading == reading && each.gpu.value_or(visit.index) == visit.index;
  });
}

bool Library::misses_field(const Visit& visit, unsigned field) const {
  const auto& missing = visit.world.scenario().faults.missing_fields;
  return std::any_of(missing.begin(), missing.end(), [&](const MissingField& each) {
    return each.field == field && each.gpu.value_or(visit.index) == visit.index;
  });
}

double Library::spoiled(const Visit& visit, Reading reading, std::int64_t at_ns,
                        std::optional<std::int64_t> number, double value) {
  const auto& absurd = visit.world.scenario().faults.absurd;
  for (std::size_t i = 0; i < absurd.size(); ++i) {
    const AbsurdReading& each = absurd[i];
    if (each.reading != reading || each.gpu.value_or(visit.index) != visit.index) continue;
    const std::int64_t count = number ? *number : ++reads_[i];
    if (each.every && count % *each.every != 0) continue;
    if (each.when.holds(at_ns, calls_on_[visit.index])) return each.value;
  }
  return value;
}

std::optional<double> Library::read(const Visit& visit, Reading reading) {
  if (misses(visit, reading)) return std::nullopt;
  const device::Twin& twin = visit.gpu.teller(reading);
  double value = 0;
  if (reading == Reading::temperature) {
    value = twin.temperature().degrees();
  } else if (reading == Reading::energy) {
    const auto energy = twin.energy_counter();
    if (!energy) return std::nullopt;
    value = energy->si();
  } else {
    const auto power = twin.power(field_of(reading, twin));
    if (!power) return std::nullopt;
    value = power->si();
  }
  return spoiled(visit, reading, visit.world.now_ns(), std::nullopt, value);
}

std::optional<std::vector<device::Twin::PowerUpdate>> Library::samples(const Visit& visit) {
  if (misses(visit, Reading::samples)) return std::nullopt;
  const device::Twin& twin = visit.gpu.teller(Reading::samples);
  const std::string_view field = field_of(Reading::samples, twin);
  auto history = twin.history(field);
  if (!history) return std::nullopt;
  Seconds period{1};
  for (const device::SensorModel& sensor : twin.specification().sensors) {
    if (sensor.field == field) period = sensor.period;
  }
  for (device::Twin::PowerUpdate& each : *history) {
    const std::int64_t number = std::llround((each.at / period).si());
    each.power =
        Watts{spoiled(visit, Reading::samples, device::nanoseconds(each.at), number, each.power.si())};
  }
  return *history;
}

}  // namespace ergon::fake_nvml
