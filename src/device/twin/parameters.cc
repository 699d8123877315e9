#include "device/twin/parameters.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/contract.h"
#include "base/si_prefixes.h"

namespace ergon::device {
namespace {

// `field` returns a reference to a number or quantity of the specification; `unit` is the SI value of 1 in
// the file.
template <typename Field>
Parameter row(std::string path, double min, double max, double unit, Field field) {
  Parameter parameter;
  parameter.path = std::move(path);
  parameter.min = min;
  parameter.max = max;
  parameter.whole =
      std::is_integral_v<std::remove_reference_t<decltype(field(std::declval<Specification&>()))>>;
  parameter.read = [field, unit](const Specification& gpu) {
    auto& value = field(const_cast<Specification&>(gpu));
    using T = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<double>(value) / unit;
    } else if constexpr (std::is_same_v<T, Celsius>) {
      return value.degrees() / unit;
    } else {
      return value.si() / unit;
    }
  };
  parameter.set = [field, unit](Specification& gpu, double number) {
    auto& value = field(gpu);
    using T = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(number * unit);
    } else if constexpr (std::is_same_v<T, Celsius>) {
      value = Celsius{number * unit};
    } else {
      value = T{number * unit};
    }
  };
  return parameter;
}

// Absent from the file for GPUs before Volta, which have no energy counter.
Parameter counter_period() {
  return {.path = "energy_counter.period_ms",
          .min = 1,
          .max = 1000,
          .optional = true,
          .read =
              [](const Specification& gpu) {
                return gpu.energy_counter_period.value_or(Seconds{}).si() / kMilli;
              },
          .set = [](Specification& gpu, double ms) { gpu.energy_counter_period = Seconds{ms * kMilli}; }};
}

// Absent from the file where it was not measured.
Parameter counter_latency() {
  return {.path = "energy_counter.latency_ms",
          .min = 0,
          .max = 100,
          .optional = true,
          .read = [](const Specification& gpu) { return gpu.energy_counter_latency.si() / kMilli; },
          .set = [](Specification& gpu, double ms) { gpu.energy_counter_latency = Seconds{ms * kMilli}; }};
}

Parameter peak(std::string path, Precision precision, bool optional) {
  Parameter parameter;
  parameter.path = std::move(path);
  parameter.min = 0.01;
  parameter.max = 1e5;
  parameter.optional = optional;
  parameter.read = [precision](const Specification& gpu) {
    const auto found = gpu.peak_tflops.find(precision);
    return found == gpu.peak_tflops.end() ? 0.0 : found->second;
  };
  parameter.set = [precision](Specification& gpu, double number) { gpu.peak_tflops[precision] = number; };
  return parameter;
}

std::vector<Parameter> list() {
  using S = Specification;
  return {
      row(
          "multiprocessors", 1, 1000, 1, [](S & s) -> auto& { return s.multiprocessors; }),
      row(
          "core_clock.least_mhz", 50, 4000, kMega, [](S & s) -> auto& { return s.core.min; }),
      row(
          "core_clock.most_mhz", 50, 4000, kMega, [](S & s) -> auto& { return s.core.max; }),
      row(
          "core_clock.step_mhz", 0.5, 200, kMega, [](S & s) -> auto& { return s.core.step; }),
      row(
          "core_clock.switch_ms", 0.001, 1000, kMilli, [](S & s) -> auto& { return s.clock_switch; }),
      row(
          "peaks.clock_mhz", 50, 4000, kMega, [](S & s) -> auto& { return s.peak_clock; }),
      peak("peaks.fp32_tflops", Precision::fp32, false),
      peak("peaks.tf32_tflops", Precision::tf32, true),
      peak("peaks.bf16_tflops", Precision::bf16, true),
      peak("peaks.fp16_tflops", Precision::fp16, true),
      row(
          "memory.capacity_gib", 0.5, 1024, kGibi, [](S & s) -> auto& { return s.memory.capacity; }),
      row(
          "memory.cache_mib", 0.1, 1024, kMebi, [](S & s) -> auto& { return s.memory.cache; }),
      row(
          "memory.bandwidth_gb_per_s", 10, 50000, kGiga, [](S & s) -> auto& { return s.memory.bandwidth; }),
      row(
          "memory.counter_full_share", 0.4, 1, 1, [](S & s) -> auto& { return s.memory.counter_full; }),
      row(
          "voltage.knee_mhz", 50, 4000, kMega, [](S & s) -> auto& { return s.voltage.knee; }),
      row(
          "voltage.ratio_at_most", 1, 2, 1, [](S & s) -> auto& { return s.voltage.ratio_at_max; }),
      row(
          "kernels.stream_share", 0.2, 1, 1, [](S & s) -> auto& { return s.kernels.stream; }),
      row(
          "kernels.cache_bandwidth_ratio", 1, 6, 1, [](S & s) -> auto& { return s.kernels.cache_bandwidth; }),
      row(
          "kernels.cache_share", 0.05, 1.5, 1, [](S & s) -> auto& { return s.kernels.cache_share; }),
      row(
          "kernels.tensor_share", 0.1, 1, 1, [](S & s) -> auto& { return s.kernels.tensor; }),
      row(
          "kernels.half_share", 0.1, 1, 1, [](S & s) -> auto& { return s.kernels.half; }),
      row(
          "kernels.plain_share", 0.1, 1, 1, [](S & s) -> auto& { return s.kernels.simt; }),
      row(
          "kernels.winograd_gain", 1, 2.25, 1, [](S & s) -> auto& { return s.kernels.winograd; }),
      row(
          "kernels.tile_falloff", 0, 1, 1, [](S & s) -> auto& { return s.kernels.tile_falloff; }),
      row(
          "kernels.tile_latency_cycles", 50, 20000, 1, [](S & s) -> auto& { return s.kernels.tile_latency; }),
      row(
          "kernels.pointwise_share", 0.1, 1, 1, [](S & s) -> auto& { return s.kernels.pointwise; }),
      row(
          "kernels.layout_passes", 0, 3, 1, [](S & s) -> auto& { return s.kernels.layout_passes; }),
      row(
          "kernels.few_channels_share", 0.02, 1, 1, [](S & s) -> auto& { return s.kernels.few_channels; }),
      row(
          "kernels.depthwise_share", 0.02, 1, 1, [](S & s) -> auto& { return s.kernels.depthwise; }),
      row(
          "kernels.depthwise_backward_share", 0.05, 1, 1,
          [](S & s) -> auto& { return s.kernels.depthwise_backward; }),
      row(
          "kernels.grouped_share", 0.02, 1, 1, [](S & s) -> auto& { return s.kernels.grouped; }),
      row(
          "kernels.norm_share", 0.05, 1, 1, [](S & s) -> auto& { return s.kernels.norm; }),
      row(
          "kernels.rows_share", 0.05, 1, 1, [](S & s) -> auto& { return s.kernels.rows; }),
      row(
          "kernels.gather_share", 0.05, 1, 1, [](S & s) -> auto& { return s.kernels.gather; }),
      row(
          "kernels.backward_share", 0.1, 1.2, 1, [](S & s) -> auto& { return s.kernels.backward; }),
      row(
          "kernels.overlap", 1, 12, 1, [](S & s) -> auto& { return s.kernels.overlap; }),
      row(
          "kernels.floor_us", 0.1, 30, kMicro, [](S & s) -> auto& { return s.kernels.floor; }),
      row(
          "kernels.product_floor_us", 0, 30, kMicro, [](S & s) -> auto& { return s.kernels.product_floor; }),
      row(
          "host.inference_us", 0.5, 500, kMicro, [](S & s) -> auto& { return s.host.inference; }),
      row(
          "host.training_us", 0.5, 2000, kMicro, [](S & s) -> auto& { return s.host.training; }),
      row(
          "power.bare_w", 1, 300, 1, [](S & s) -> auto& { return s.power.bare; }),
      row(
          "power.resident_w", 0, 200, 1, [](S & s) -> auto& { return s.power.resident; }),
      row(
          "power.resident_follows", 0, 1, 1, [](S & s) -> auto& { return s.power.resident_follows; }),
      row(
          "power.busy_w", 0, 800, 1, [](S & s) -> auto& { return s.power.busy; }),
      row(
          "power.leakage_w_per_k", 0, 5, 1, [](S & s) -> auto& { return s.power.leakage; }),
      row(
          "power.memory_pj_per_byte", 1, 500, kPico, [](S & s) -> auto& { return s.power.memory; }),
      row(
          "power.cache_pj_per_byte", 0, 300, kPico, [](S & s) -> auto& { return s.power.cache; }),
      row(
          "power.plain_pj_per_flop", 0.05, 100, kPico, [](S & s) -> auto& { return s.power.simt_flop; }),
      row(
          "power.tensor_pj_per_flop", 0.05, 50, kPico, [](S & s) -> auto& { return s.power.tensor_flop; }),
      row(
          "power.half_pj_per_flop", 0.02, 50, kPico, [](S & s) -> auto& { return s.power.half_flop; }),
      row(
          "limit.least_w", 1, 2000, 1, [](S & s) -> auto& { return s.limit.min; }),
      row(
          "limit.usual_w", 1, 2000, 1, [](S & s) -> auto& { return s.limit.default_limit; }),
      row(
          "limit.most_w", 1, 2000, 1, [](S & s) -> auto& { return s.limit.max; }),
      row(
          "limit.holds_from_w", 1, 2000, 1, [](S & s) -> auto& { return s.limit.holds_from; }),
      row(
          "limit.period_ms", 1, 1000, kMilli, [](S & s) -> auto& { return s.limit.period; }),
      row(
          "thermal.ambient_c", -20, 60, 1, [](S & s) -> auto& { return s.thermal.ambient; }),
      row(
          "thermal.resistance_k_per_w", 0.005, 1, 1, [](S & s) -> auto& { return s.thermal.resistance; }),
      row(
          "thermal.time_constant_s", 0.1, 600, 1, [](S & s) -> auto& { return s.thermal.time_constant; }),
      row(
          "thermal.slowdown_c", 50, 120, 1, [](S & s) -> auto& { return s.thermal.slowdown; }),
      counter_period(),
      counter_latency(),
  };
}

}  // namespace

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> all = list();
  return all;
}

const Parameter& parameter(std::string_view path) {
  const auto& all = parameters();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.path == path; });
  ERGON_EXPECTS(found != all.end());
  return *found;
}

}  // namespace ergon::device
