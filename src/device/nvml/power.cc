#include "device/nvml/power.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "device/nvml/field_value.h"

namespace ergon::device::nvml {
namespace {

Watts from_mw(double mw) { return Watts{mw / 1e3}; }

Result<Watts> checked(const Gpu& gpu, std::string_view what, Watts power) {
  if (power > Watts{0}) return power;
  return fail(Errc::unsupported, "{} of {}: the driver reports 0 W, so there is no sensor", what,
              gpu.label());
}

Result<Watts> usage(const Gpu& gpu) {
  unsigned power_mw = 0;
  if (auto called = gpu.call("power usage", gpu.nvml().power_usage, &power_mw); !called)
    return called.error();
  return checked(gpu, "power usage", from_mw(power_mw));
}

Result<Watts> by_field(const Gpu& gpu, unsigned field, std::string_view what) {
  const auto power_mw = field_value(gpu, field, what);
  if (!power_mw) return power_mw.error();
  return checked(gpu, what, from_mw(*power_mw));
}

Result<Watts> newest_sample(const Gpu& gpu) {
  const auto samples = power_samples(gpu, Timestamp{});
  if (!samples) return samples.error();
  if (samples->empty()) return fail(Errc::io, "power samples of {}: the buffer is still empty", gpu.label());
  return checked(gpu, "power samples", samples->back().power);
}

}  // namespace

Result<Watts> power(const Gpu& gpu, PowerField field) {
  switch (field) {
    case PowerField::usage:
      return usage(gpu);
    case PowerField::average:
      return by_field(gpu, field::kPowerAverage, "average power");
    case PowerField::instant:
      return by_field(gpu, field::kPowerInstant, "instant power");
    case PowerField::samples:
      return newest_sample(gpu);
  }
  return fail(Errc::unsupported, "power of {}: unknown field", gpu.label());
}

Result<std::vector<PowerSample>> power_samples(const Gpu& gpu, Timestamp since) {
  const auto since_us = static_cast<unsigned long long>(std::max<std::int64_t>(0, since.ns) / 1000);
  const auto fetch = [&](ValueType& type, unsigned& count, Sample* samples) -> Result<> {
    return gpu.call("power samples", gpu.nvml().samples, SamplingType::total_power, since_us, &type, &count,
                    samples);
  };
  ValueType type = ValueType::uint32;
  unsigned room = 0;
  auto called = fetch(type, room, nullptr);
  std::vector<Sample> raw(room);
  unsigned count = room;
  if (called && room > 0) called = fetch(type, count, raw.data());
  // NVML reports "not found" if there are no new samples.
  if (!called && called.error().kind == Errc::not_found) return std::vector<PowerSample>{};
  if (!called) return called.error();

  constexpr unsigned long long kLatestUs = std::numeric_limits<std::int64_t>::max() / 1000;
  std::vector<PowerSample> samples;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, room); ++i) {
    const auto power_mw = number_in(raw[i].value, type);
    if (!power_mw || raw[i].timestamp_us > kLatestUs) continue;
    const Timestamp at{static_cast<std::int64_t>(raw[i].timestamp_us) * 1000};
    if (at > since) samples.push_back({at, from_mw(*power_mw)});
  }
  std::stable_sort(samples.begin(), samples.end(),
                   [](const PowerSample& a, const PowerSample& b) { return a.at < b.at; });
  return samples;
}

Result<std::uint64_t> energy_mj(const Gpu& gpu) {
  unsigned long long energy_mj = 0;
  if (auto called = gpu.call("energy counter", gpu.nvml().total_energy, &energy_mj); !called)
    return called.error();
  return std::uint64_t{energy_mj};
}

Result<Watts> power_limit(const Gpu& gpu) {
  unsigned limit_mw = 0;
  if (auto called = gpu.call("power limit", gpu.nvml().power_limit, &limit_mw); !called)
    return called.error();
  return from_mw(limit_mw);
}

Result<PowerLimits> power_limits(const Gpu& gpu) {
  const auto now = power_limit(gpu);
  if (!now) return now.error();
  unsigned default_mw = 0, min_mw = 0, max_mw = 0;
  auto called = gpu.call("default power limit", gpu.nvml().default_power_limit, &default_mw);
  if (!called) return called.error();
  called = gpu.call("range of power limits", gpu.nvml().power_limit_constraints, &min_mw, &max_mw);
  if (!called) return called.error();
  return PowerLimits{*now, from_mw(default_mw), from_mw(min_mw), from_mw(max_mw)};
}

}  // namespace ergon::device::nvml
