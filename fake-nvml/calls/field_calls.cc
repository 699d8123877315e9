// Field values and the sample buffer.

#include "base/si_prefixes.h"
#include "base/text.h"
#include "call_helpers.h"

namespace ergon::fake_nvml {
namespace {

using nvml::FieldValue;
using nvml::ValueType;

namespace field = nvml::field;

Return give_number(FieldValue& value, std::optional<unsigned> number) {
  value.value_type = ValueType::uint32;
  value.value.uint64 = 0;
  value.value.uint32 = number.value_or(0);
  return number ? Return::success : Return::not_supported;
}

Return give_margin(FieldValue& value, int degrees) {
  value.value_type = ValueType::int32;
  value.value.int32 = degrees;
  return Return::success;
}

bool is_energy(const FieldValue& value) {
  return value.field == field::kTotalEnergy || value.field == field::kEnergy;
}

// Power fields came with driver 525.
bool has_power_fields(const GpuCall& at) {
  constexpr int kSince = 525;
  const std::string& driver = at.simulation.scenario().driver;
  return parse_int64(driver.substr(0, driver.find('.'))).value_or(kSince) >= kSince;
}

Return give_energy(const GpuCall& at, FieldValue& value) {
  const auto joules = at.library.read(at, SensorField::energy);
  value.value_type = ValueType::uint64;
  value.value.uint64 = thousandths<unsigned long long>(joules.value_or(0));
  return joules ? Return::success : Return::not_supported;
}

std::optional<unsigned> milliwatts(std::optional<double> watts) {
  if (!watts) return std::nullopt;
  return thousandths<unsigned>(*watts);
}

// Power fields have a scope: GPU, module or memory. Only the GPU is modeled.
Return give_power(const GpuCall& at, FieldValue& value) {
  if (!has_power_fields(at)) return Return::invalid_argument;
  const bool measured = value.field == field::kPowerAverage || value.field == field::kPowerInstant;
  if (value.scope > field::kScopeMemory || (value.scope == field::kScopeMemory && !measured)) {
    return Return::invalid_argument;
  }
  if (value.scope != field::kScopeGpu) return give_number(value, std::nullopt);
  const device::PowerLimitModel& limit = at.slot.gpu.limit;
  switch (value.field) {
    case field::kPowerAverage:
      return give_number(value, milliwatts(at.library.read(at, SensorField::average)));
    case field::kPowerInstant:
      return give_number(value, milliwatts(at.library.read(at, SensorField::instant)));
    case field::kPowerMinLimit:
      return give_number(value, milliwatts(limit.min.si()));
    case field::kPowerMaxLimit:
      return give_number(value, milliwatts(limit.max.si()));
    case field::kPowerDefaultLimit:
      return give_number(value, milliwatts(limit.default_limit.si()));
    default:
      return give_number(value, milliwatts(at.gpu.twin().limit().si()));
  }
}

// Field values of NVLink that Ergon does not read. The scope of the last three is the link.
constexpr unsigned kSwitchLinkCount = 147, kNvlinkSpeed = 164, kNvlinkState = 165, kNvlinkVersion = 166;

Return give_nvlink(const GpuCall& at, FieldValue& value) {
  const unsigned links = working_links(at);
  if (links == 0) return give_number(value, std::nullopt);
  if (value.field == field::kNvlinkLinkCount || value.field == kSwitchLinkCount)
    return give_number(value, links);
  if (value.scope >= links) return Return::invalid_argument;
  if (value.field == kNvlinkState) return give_number(value, 1);
  return give_number(value,
                     value.field == kNvlinkSpeed ? at.product.nvlink_mb_per_s : at.product.nvlink_version);
}

Return give_field(const GpuCall& at, FieldValue& value) {
  value.value_type = ValueType::uint64;
  value.value.uint64 = 0;
  if (at.library.is_field_missing(at, value.field)) return Return::not_supported;
  switch (value.field) {
    case field::kEccCurrent:
    case field::kEccPending:
      value.value.uint64 = 1;
      return at.product.ecc ? Return::success : Return::not_supported;
    case field::kMemoryTemperature: {
      const auto degrees = at.library.read(at, SensorField::temperature);
      const bool there = at.product.stacked_memory && degrees;
      return give_number(value, there ? std::optional(static_cast<unsigned>(*degrees)) : std::nullopt);
    }
    case field::kTotalEnergy:
    case field::kEnergy:
      return give_energy(at, value);
    case field::kNvlinkLinkCount:
    case kSwitchLinkCount:
    case kNvlinkSpeed:
    case kNvlinkState:
    case kNvlinkVersion:
      return give_nvlink(at, value);
    case field::kPcieReplayCounter:
      return give_number(value, 0);
    case field::kPowerAverage:
    case field::kPowerInstant:
    case field::kPowerMinLimit:
    case field::kPowerMaxLimit:
    case field::kPowerDefaultLimit:
    case field::kPowerCurrentLimit:
    case field::kPowerRequestedLimit:
      return give_power(at, value);
    // Degrees relative to the slowdown temperature of the twin, as in heat_calls.cc.
    case field::kShutdownMargin:
      return give_margin(value, -8);
    case field::kSlowdownMargin:
      return give_margin(value, -2);
    case field::kGpuMaxMargin:
      return give_margin(value, 0);
    default:
      break;
  }
  value.value_type = ValueType::uint64;
  value.value.uint64 = 0;
  return value.field > 0 && value.field < field::kEnd ? Return::not_supported : Return::invalid_argument;
}

constexpr unsigned kBuffer = device::Sensor::kHistoryLength;

Return give_samples(const GpuCall& at, std::uint64_t last_seen_us, unsigned* count, nvml::Sample* samples) {
  const auto updates = at.library.samples(at);
  if (!updates) return Return::not_supported;
  if (samples == nullptr) return *count = kBuffer, Return::success;
  const unsigned room = *count;
  unsigned given = 0;
  for (const auto& update : *updates) {
    const std::uint64_t at_us = microseconds_of(at.simulation.wall_time(device::nanoseconds(update.at)));
    if (at_us <= last_seen_us || given == room) continue;
    samples[given].timestamp_us = at_us;
    samples[given].value.uint64 = 0;
    samples[given].value.uint32 = thousandths<unsigned>(update.power.si());
    ++given;
  }
  if (given == 0) return Return::not_found;
  *count = given;
  return Return::success;
}

}  // namespace

Return nvmlDeviceGetFieldValues(DeviceHandle device, int count, FieldValue* values) {
  const bool reads_energy_counter =
      values != nullptr && count > 0 && std::any_of(values, values + count, is_energy);
  const auto read = [&](const GpuCall& at) {
    if (count < 1 || values == nullptr) return Return::invalid_argument;
    for (FieldValue* value = values; value != values + count; ++value) {
      value->timestamp_us =
          static_cast<long long>(microseconds_of(at.simulation.wall_time(at.simulation.now_ns())));
      const Seconds latency = is_energy(*value) ? at.library.energy_counter_latency(at.index) : Seconds{0};
      value->latency_us = static_cast<long long>(latency.si() / kMicro);
      value->status = give_field(at, *value);
    }
    return Return::success;
  };
  return Library::here().call(__func__, device, read, reads_energy_counter);
}

// Only the power sample buffer is modeled.
Return nvmlDeviceGetSamples(DeviceHandle device, nvml::SamplingType type, unsigned long long last_seen_us,
                            ValueType* value_type, unsigned* count, nvml::Sample* samples) {
  return Library::here().call(__func__, device, [&](const GpuCall& at) {
    if (value_type == nullptr || count == nullptr || (samples != nullptr && *count == 0))
      return Return::invalid_argument;
    if (type < nvml::SamplingType::total_power || type > nvml::SamplingType::ofa_utilization ||
        type == nvml::SamplingType::module_power) {
      return Return::invalid_argument;
    }
    if (type != nvml::SamplingType::total_power) return Return::not_supported;
    *value_type = ValueType::uint32;
    return give_samples(at, last_seen_us, count, samples);
  });
}

}  // namespace ergon::fake_nvml
