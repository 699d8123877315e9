#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/reading/checkpoint_reader.h"

namespace ergon::fleet {

// Values outside these ranges are not used; they are counted, and the first one of each metric is kept.
struct PlausibleRange {
  double min = 0, max = 0;
};
inline constexpr PerMetric<PlausibleRange> kPlausibleRanges{
    PlausibleRange{0, 2000},   // W
    PlausibleRange{-40, 150},  // degrees Celsius
    PlausibleRange{0, 100},    // percent
    PlausibleRange{0, 100},
};

struct OutOfRangeValue {
  std::string text;          // as in the log, at most 60 bytes
  std::size_t position = 0;  // of its row
};

// "power \"99999\" is not 0 to 2000 W".
std::string out_of_range_text(Metric metric, std::string_view value);

// Whether most values of a metric are out of range, so that its unit or column must be another one. `counts`
// is of one log.
bool mostly_out_of_range(Metric metric, const RowCounts& counts);

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

  // The first value of each metric that was out of range.
  const PerMetric<std::optional<OutOfRangeValue>>& out_of_range() const { return out_of_range_; }

 private:
  struct GpuIdentity {
    std::string_view key, host, uuid, serial;
  };
  Code code_of(const GpuIdentity& identity);

  NameTables& names_;
  std::int64_t zone_ns_;
  NameCache gpus_;
  PerMetric<std::optional<OutOfRangeValue>> out_of_range_;
};

}  // namespace ergon::fleet
