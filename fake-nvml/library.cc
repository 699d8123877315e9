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

// Device handles point into this array, so that they stay valid across shutdown and initialization.
std::array<char, kMaxDevices> handles;

// The twin's power field; `usage` replaces a missing `samples` field.
std::string_view field_of(SensorField reading, const device::Twin& twin) {
  const std::string_view field = name_of(reading);
  if (reading == SensorField::samples && !twin.power(field)) return name_of(SensorField::usage);
  return field;
}

}  // namespace

Library& Library::here() {
  static auto* const library = new Library;  // never destroyed: destructors of other objects may call it
  return *library;
}

DeviceHandle Library::handle_of(std::size_t index) {
  ERGON_EXPECTS(index < handles.size());
  return reinterpret_cast<DeviceHandle>(&handles[index]);
}

std::optional<std::size_t> Library::index_of(DeviceHandle device) const {
  for (std::size_t i = 0; simulation_ && i < simulation_->size(); ++i) {
    if (device == handle_of(i)) return i;
  }
  return std::nullopt;
}

// A forked child has a copy of the memory of its parent, but not the lock on the log.
bool Library::initialized() {
  if (initialized_by_ != getpid()) {
    initialized_ = 0;
    simulation_.reset();
  }
  return initialized_ > 0;
}

Return Library::to_return_code(const Error& error) {
  last_error_ = error.message;
  switch (error.kind) {
    case Errc::unsupported:
      return Return::not_supported;
    case Errc::permission:
      return Return::no_permission;
    case Errc::not_found:
    case Errc::unknown_name:
      return Return::not_found;
    case Errc::invalid_input:
      return Return::invalid_argument;
    default:
      return Return::unknown;
  }
}

Return Library::open_simulation() {
  auto scenario = scenario_of_environment();
  if (scenario && scenario->faults.no_driver) return Return::driver_not_loaded;
  auto simulation =
      scenario ? Simulation::open(*scenario, state_folder(*scenario)) : Result<Simulation>(scenario.error());
  if (!simulation) {
    to_return_code(simulation.error());
    // NVML's interface cannot report what is wrong with the scenario.
    std::fprintf(stderr, "fake NVML: %s\n", last_error_.c_str());
    return Return::unknown;
  }
  simulation_.emplace(std::move(*simulation));
  products_.clear();
  for (const DeviceSlot& slot : simulation_->scenario().slots) products_.push_back(product_of(slot.gpu));
  calls_ = 0;
  calls_on_.assign(simulation_->size(), 0);
  reads_.assign(simulation_->scenario().faults.absurd.size(), 0);
  return Return::success;
}

Return Library::init() {
  const std::lock_guard lock(mutex_);
  if (!initialized()) {
    if (const Return opened = open_simulation(); opened != Return::success) return opened;
    initialized_by_ = getpid();
  }
  ++initialized_;
  return Return::success;
}

Return Library::shutdown() {
  const std::lock_guard lock(mutex_);
  if (!initialized()) return Return::uninitialized;
  if (--initialized_ == 0) simulation_.reset();
  return Return::success;
}

Seconds Library::energy_counter_latency(std::size_t gpu) const {
  const Scenario& scenario = simulation_->scenario();
  return scenario.manual_time ? Seconds{0} : scenario.slots[gpu].gpu.energy_counter_latency;
}

Seconds Library::delay_of(std::string_view function, std::optional<std::size_t> gpu,
                          bool reads_energy_counter) const {
  Seconds delay = gpu && reads_energy_counter ? energy_counter_latency(*gpu) : Seconds{0};
  for (const SlowCall& each : simulation_->scenario().faults.slow) {
    if (!each.function || *each.function == function) return delay + each.by;
  }
  return delay;
}

Return Library::enter(std::string_view function, std::optional<std::size_t> gpu,
                      std::unique_lock<std::mutex>& lock, bool reads_energy_counter) {
  if (!initialized()) return Return::uninitialized;
  const Scenario& scenario = simulation_->scenario();
  if (!scenario.absent.empty() && scenario.absent.contains(std::string(function)))
    return Return::function_not_found;
  ++calls_;
  if (gpu) ++calls_on_[*gpu];
  if (const Seconds delay = delay_of(function, gpu, reads_energy_counter); delay > Seconds{0}) {
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::duration<double>(delay.si()));
    lock.lock();
    // Another thread may have shut down or restarted the simulation meanwhile.
    if (!initialized() || gpu.value_or(0) >= std::max<std::size_t>(1, simulation_->size()))
      return Return::uninitialized;
  }
  const bool lists_processes = function.find("Process") != std::string_view::npos;
  if (auto looked = simulation_->refresh(lists_processes); !looked)
    return to_return_code(looked.error()), Return::unknown;
  return fault_of(function, gpu);
}

Return Library::fault_of(std::string_view function, std::optional<std::size_t> gpu) const {
  for (const FailingCall& each : simulation_->scenario().faults.failing) {
    if (each.function && *each.function != function) continue;
    if (each.gpu && each.gpu != gpu) continue;
    if (each.when.holds(simulation_->now_ns(), each.gpu ? calls_on_[*each.gpu] : calls_)) return each.result;
  }
  return Return::success;
}

Return Library::state_of(std::string_view function, std::size_t gpu) {
  const std::lock_guard lock(mutex_);
  if (!initialized() || gpu >= simulation_->size()) return Return::uninitialized;
  if (auto looked = simulation_->refresh(); !looked) return to_return_code(looked.error()), Return::unknown;
  return fault_of(function, gpu);
}

Library::GpuCall Library::gpu_call_on(std::size_t index) {
  return {
      index, simulation_->gpu(index), simulation_->scenario().slots[index], products_[index], *simulation_,
      *this};
}

bool Library::is_missing(const GpuCall& gpu_call, SensorField reading) const {
  const auto& missing = gpu_call.simulation.scenario().faults.missing;
  return std::any_of(missing.begin(), missing.end(), [&](const MissingReading& each) {
    return each.reading == reading && each.gpu.value_or(gpu_call.index) == gpu_call.index;
  });
}

bool Library::is_field_missing(const GpuCall& gpu_call, unsigned field) const {
  const auto& missing = gpu_call.simulation.scenario().faults.missing_fields;
  return std::any_of(missing.begin(), missing.end(), [&](const MissingField& each) {
    return each.field == field && each.gpu.value_or(gpu_call.index) == gpu_call.index;
  });
}

double Library::with_faults(const GpuCall& gpu_call, SensorField reading, std::int64_t at_ns,
                            std::optional<std::int64_t> number, double value) {
  const auto& absurd = gpu_call.simulation.scenario().faults.absurd;
  for (std::size_t i = 0; i < absurd.size(); ++i) {
    const AbsurdReading& each = absurd[i];
    if (each.reading != reading || each.gpu.value_or(gpu_call.index) != gpu_call.index) continue;
    const std::int64_t count = number ? *number : ++reads_[i];
    if (each.every && count % *each.every != 0) continue;
    if (each.when.holds(at_ns, calls_on_[gpu_call.index])) return each.value;
  }
  return value;
}

std::optional<double> Library::read(const GpuCall& gpu_call, SensorField reading) {
  if (is_missing(gpu_call, reading)) return std::nullopt;
  const device::Twin& twin = gpu_call.gpu.twin_for(reading);
  double value = 0;
  if (reading == SensorField::temperature) {
    value = twin.temperature().degrees();
  } else if (reading == SensorField::energy) {
    const auto energy = twin.energy_counter();
    if (!energy) return std::nullopt;
    value = energy->si();
  } else {
    const auto power = twin.power(field_of(reading, twin));
    if (!power) return std::nullopt;
    value = power->si();
  }
  return with_faults(gpu_call, reading, gpu_call.simulation.now_ns(), std::nullopt, value);
}

std::optional<std::vector<device::Twin::PowerUpdate>> Library::samples(const GpuCall& gpu_call) {
  if (is_missing(gpu_call, SensorField::samples)) return std::nullopt;
  const device::Twin& twin = gpu_call.gpu.twin_for(SensorField::samples);
  const std::string_view field = field_of(SensorField::samples, twin);
  auto history = twin.history(field);
  if (!history) return std::nullopt;
  Seconds period{1};
  for (const device::SensorModel& sensor : twin.specification().sensors) {
    if (sensor.answers(field)) period = sensor.period;
  }
  for (device::Twin::PowerUpdate& each : *history) {
    const std::int64_t number = std::llround((each.at / period).si());
    each.power = Watts{
        with_faults(gpu_call, SensorField::samples, device::nanoseconds(each.at), number, each.power.si())};
  }
  return *history;
}

}  // namespace ergon::fake_nvml
