#include "fleet/prometheus/metric_names.h"

#include <array>

#include <fmt/format.h>

namespace ergon::fleet {
namespace {

constexpr double kPercentOfRatio = 100;

constexpr std::array<KnownName, 3> kPowerNames{
    {{"ergon_gpu_power_watts"}, {"DCGM_FI_DEV_POWER_USAGE"}, {"dcgm_power_usage"}}};
constexpr std::array<KnownName, 3> kTemperatureNames{
    {{"ergon_gpu_temperature_celsius"}, {"DCGM_FI_DEV_GPU_TEMP"}, {"dcgm_gpu_temp"}}};
constexpr std::array<KnownName, 4> kUtilizationNames{
    {{"ergon_gpu_utilization_ratio", kPercentOfRatio},
     {"DCGM_FI_DEV_GPU_UTIL"},
     {"dcgm_gpu_utilization"},
     {"ergon_gpu_utilisation_ratio", kPercentOfRatio, true}}};
constexpr std::array<KnownName, 4> kMemoryNames{
    {{"ergon_gpu_memory_utilization_ratio", kPercentOfRatio},
     {"DCGM_FI_DEV_MEM_COPY_UTIL"},
     {"dcgm_mem_copy_utilization"},
     {"ergon_gpu_memory_utilisation_ratio", kPercentOfRatio, true}}};
constexpr PerMetric<std::span<const KnownName>> kKnownNames{kPowerNames, kTemperatureNames, kUtilizationNames,
                                                            kMemoryNames};

}  // namespace

std::span<const KnownName> known_names(Metric metric) {
  return kKnownNames[static_cast<std::size_t>(metric)];
}

std::optional<std::size_t> rank_of(Metric metric, std::string_view name) {
  const auto names = known_names(metric);
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    if (names[rank].name == name) return rank;
  }
  return std::nullopt;
}

std::string series_of(Metric metric) {
  std::string names;
  for (const KnownName& each : known_names(metric)) {
    if (!names.empty()) names += '|';
    names += each.name;
  }
  return fmt::format("{{__name__=~\"{}\"}}", names);
}

}  // namespace ergon::fleet
