#include "device/nvml/capabilities.h"

#include <algorithm>
#include <optional>

namespace ergon::device::nvml {
namespace {

// Records whether the GPU was lost during the trial reads.
class Trial {
 public:
  template <typename T>
  bool works(const Result<T>& tried) {
    if (!tried && tried.error().kind == Errc::device_lost && !lost_) lost_ = tried.error();
    return static_cast<bool>(tried);
  }

  const std::optional<Error>& lost() const { return lost_; }

 private:
  std::optional<Error> lost_;
};

// The buffer may be empty because the driver has just been loaded. A buffer of zeros means no sensor.
bool has_samples(Trial& trial, Device& device) {
  const auto samples = device.power_samples(Timestamp{});
  if (!trial.works(samples)) return false;
  return samples->empty() || std::any_of(samples->begin(), samples->end(),
                                         [](const PowerSample& sample) { return sample.power > Watts{0}; });
}

// Volta is 7.0, Ampere 8.0. True if the driver does not report the compute capability.
bool is_generation_or_later(const Gpu& gpu, int generation) {
  int major = 0, minor = 0;
  return !gpu.call("compute capability", gpu.nvml().compute_capability, &major, &minor) ||
         major >= generation;
}

bool has_application_clocks(Trial& trial, const Gpu& gpu) {
  const Functions& nvml = gpu.nvml();
  unsigned mhz = 0;
  const auto readable = [&](DeviceGetApplicationsClock* getter, ClockType type) {
    return trial.works(gpu.call("application clocks", getter, type, &mhz)) && mhz > 0;
  };
  return nvml.set_application_clocks != nullptr && nvml.reset_application_clocks != nullptr &&
         readable(nvml.application_clock, ClockType::graphics) &&
         readable(nvml.application_clock, ClockType::memory) &&
         readable(nvml.default_application_clock, ClockType::graphics) &&
         readable(nvml.default_application_clock, ClockType::memory);
}

}  // namespace

Result<Capabilities> probe(const Gpu& gpu, Device& device) {
  const Functions& nvml = gpu.nvml();
  Trial trial;
  Capabilities can;
  for (const PowerField field : {PowerField::usage, PowerField::average, PowerField::instant}) {
    if (trial.works(device.power(field))) can.power.push_back(field);
  }
  if (has_samples(trial, device)) can.power.push_back(PowerField::samples);
  can.energy_counter = trial.works(device.energy_counter());
  can.core_clock = trial.works(device.clock(ClockDomain::core));
  can.memory_clock = trial.works(device.clock(ClockDomain::memory));
  can.supported_clocks = trial.works(device.supported_clocks(ClockDomain::core));
  can.temperature = trial.works(device.temperature());
  can.memory_temperature = trial.works(device.memory_temperature());
  can.utilization = trial.works(device.utilization());
  can.memory = trial.works(device.memory());
  can.event_reasons = trial.works(device.event_reasons());
  can.processes = trial.works(device.processes());
  const auto limits = device.power_limits();
  can.power_limit = trial.works(limits);

  can.set_power_limit = nvml.set_power_limit != nullptr && can.power_limit && limits->min < limits->max;
  can.lock_core_clock =
      nvml.lock_core_clock != nullptr && nvml.unlock_core_clock != nullptr && is_generation_or_later(gpu, 7);
  can.lock_memory_clock = nvml.lock_memory_clock != nullptr && nvml.unlock_memory_clock != nullptr &&
                          is_generation_or_later(gpu, 8);
  can.application_clocks = has_application_clocks(trial, gpu);
  if (trial.lost()) return *trial.lost();
  return can;
}

}  // namespace ergon::device::nvml
