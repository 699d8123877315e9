#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// The name that an exporter gives a metric, and the factor that converts it to the unit of a Sample.
struct KnownName {
  std::string_view name;
  double factor = 1;
  bool former = false;  // no exporter serves it any longer; stored series may have it
};

// Known names of a metric, preferred names first: Ergon's, those of dcgm-exporter 2.0 and later, those
// of 1.x, Ergon's former spelling. tests/service/metrics/fleet_reads_metrics_test.cc compares Ergon's names
// with those of its exporter.
std::span<const KnownName> known_names(Metric metric);

// Index of a name in known_names().
std::optional<std::size_t> rank_of(Metric metric, std::string_view name);

// PromQL selector of all series with one of these names: {__name__=~"a|b"}.
std::string series_of(Metric metric);

// Ergon's metric that marks a GPU as simulated (1) or real (0). Other exporters have none.
inline constexpr std::string_view kSimulatedName = "ergon_gpu_simulated";

}  // namespace ergon::fleet
