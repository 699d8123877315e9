#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// What an exporter calls a metric, and what its numbers are multiplied with to be in a Sample's unit.
struct KnownName {
  std::string_view name;
  double factor = 1;
};

// The names of a metric, those to be believed first: Ergon's own, dcgm-exporter's since 2.0, and those of the
// 1.x versions.
std::span<const KnownName> known_names(Metric metric);

// Where a name stands among them.
std::optional<std::size_t> rank_of(Metric metric, std::string_view name);

// The expression of all series that go by one of them: {__name__=~"a|b"}.
std::string series_of(Metric metric);

}  // namespace ergon::fleet
