#pragma once

#include <string_view>
#include <vector>

#include "fleet/reading/checkpoint_reader.h"

namespace ergon::fleet {

// Values outside these ranges are treated as missing.
struct PlausibleRange {
  double min = 0, max = 0;
};
inline constexpr PerMetric<PlausibleRange> kPlausibleRanges{
    PlausibleRange{0, 2000},   // W
    PlausibleRange{-40, 150},  // degrees Celsius
    PlausibleRange{0, 100},    // percent
    PlausibleRange{0, 100},
};

// The value, or NaN if it is missing or out of range; the reason is counted.
double plausible_or_nan(std::optional<double> value, Metric metric, RowCounts& counts);

// Reads lines of GPU telemetry. One reader per thread; it caches the codes of GPUs.
class SampleReader {
 public:
  SampleReader(NameTables& names, std::int64_t zone_ns) : names_(names), zone_ns_(zone_ns) {}

  // Appends the rows of `piece`, a part of `text` that consists of whole lines. `host` is used if there is no
  // host column. `columns` is from find_columns().
  void read(std::string_view text, std::string_view piece, std::span<const std::size_t> columns,
            std::string_view host, std::vector<Sample>& rows, RowCounts& counts);

 private:
  struct GpuIdentity {
    std::string_view key, host, uuid, serial;
  };
  Code code_of(const GpuIdentity& identity);

  NameTables& names_;
  std::int64_t zone_ns_;
  NameCache gpus_;
};

}  // namespace ergon::fleet
