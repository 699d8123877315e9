#include "fleet/reading/sample_reader.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "fleet/reading/name_hash.h"
#include "fleet/reading/rows.h"
#include "fleet/reading/values.h"

namespace ergon::fleet {
namespace {

constexpr std::size_t kMaxShown = 60;

}  // namespace

double plausible_or_nan(std::optional<double> value, Metric metric, RowCounts& counts) {
  const auto m = static_cast<std::size_t>(metric);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (!value) return ++counts.not_available[m], kNan;
  if (!(*value >= kPlausibleRanges[m].min && *value <= kPlausibleRanges[m].max))
    return ++counts.out_of_range[m], kNan;
  return *value;
}

std::string out_of_range_text(Metric metric, std::string_view value) {
  const auto m = static_cast<std::size_t>(metric);
  return fmt::format("{} \"{}\" is not {} to {} {}", kMetricNames[m], printable(value),
                     kPlausibleRanges[m].min, kPlausibleRanges[m].max, kMetricUnits[m]);
}

bool mostly_out_of_range(Metric metric, const RowCounts& counts) {
  const auto m = static_cast<std::size_t>(metric);
  const std::uint64_t unused = counts.not_available[m] + counts.out_of_range[m] + counts.nameless;
  const std::uint64_t used = counts.timed() - std::min(counts.timed(), unused);
  return counts.out_of_range[m] > used;
}

Code SampleReader::code_of(const GpuIdentity& identity) {
  const std::uint64_t hash = name_hash(identity.key);
  NameCache::Entry& entry = gpus_.find(identity.key, hash);
  if (entry.code != kNoCode && entry.host == identity.host) return entry.code;
  const Code host = names_.hosts.code_of(identity.host);
  const Code code =
      names_.gpus.code_of(identity.key, {host, utf8_name(identity.uuid), utf8_name(identity.serial)});
  // A GPU that moved to another host is looked up each time; its first host stays in the cache.
  if (entry.code != kNoCode) return code;
  entry = {hash, names_.gpus.key(code), names_.hosts.as_given(host), code};
  gpus_.filled();
  return code;
}

void SampleReader::read(std::string_view text, std::string_view piece, std::span<const std::size_t> columns,
                        std::string_view host, std::vector<Sample>& rows, RowCounts& counts) {
  const auto column_of = [&](SampleRole role) { return columns[static_cast<std::size_t>(role)]; };
  const std::size_t time = column_of(SampleRole::time), host_column = column_of(SampleRole::host),
                    uuid = column_of(SampleRole::uuid), serial = column_of(SampleRole::serial),
                    index = column_of(SampleRole::index), simulated = column_of(SampleRole::simulated);
  const PerMetric<std::size_t> metrics{column_of(SampleRole::power), column_of(SampleRole::temperature),
                                       column_of(SampleRole::utilization), column_of(SampleRole::memory)};
  std::size_t min_fields = 0;
  for (const std::size_t column : columns) {
    // Rows without the mark, of an older version below a newer header, are read.
    if (column != kAbsent && column != simulated) min_fields = std::max(min_fields, column + 1);
  }

  TimestampReader timestamps(zone_ns_);
  rows.reserve(rows.size() + piece.size() / 120);
  walk_rows(piece, [&](LogRow& row) {
    ++counts.rows;
    const bool unmarked = simulated != kAbsent && simulated >= row.size();
    if (row.size() < min_fields || (unmarked && unfinished(row, text)))
      return ++(unfinished(row, text) ? counts.cut_off : counts.malformed), false;
    const auto text_of = [&](std::size_t column) {
      return column == kAbsent ? std::string_view{} : row[column].value_or(std::string_view{});
    };
    const auto time_text = row[time];
    if (!time_text) return ++(unfinished(row, text) ? counts.cut_off : counts.malformed), false;
    const auto at = timestamps.read(*time_text);
    if (!at) return ++counts.bad_time, true;

    GpuIdentity identity;
    identity.host = host_column == kAbsent ? host : text_of(host_column);
    identity.uuid = text_of(uuid);
    identity.serial = text_of(serial);
    identity.key = !identity.uuid.empty()     ? identity.uuid
                   : !identity.serial.empty() ? identity.serial
                                              : text_of(index);
    if (identity.key.empty()) identity.key = identity.host;
    if (identity.host.empty()) return ++counts.nameless, true;

    if (simulated < row.size() && is_simulated_mark(text_of(simulated))) ++counts.simulated;
    PerMetric<double> values;
    for (const Metric metric : kAllMetrics) {
      const auto m = static_cast<std::size_t>(metric);
      const std::size_t column = metrics[m];
      values[m] = std::numeric_limits<double>::quiet_NaN();
      if (column == kAbsent) continue;
      const std::uint64_t before = counts.out_of_range[m];
      values[m] = plausible_or_nan(read_value(text_of(column)), metric, counts);
      if (counts.out_of_range[m] == before) continue;
      const auto position = static_cast<std::size_t>(row.begin() - text.data());
      if (!out_of_range_[m] || position < out_of_range_[m]->position)
        out_of_range_[m] = OutOfRangeValue{std::string(text_of(column).substr(0, kMaxShown)), position};
    }
    rows.push_back({*at, values[0], static_cast<float>(values[1]), static_cast<float>(values[2]),
                    static_cast<float>(values[3]), code_of(identity)});
    return true;
  });
  counts.without_zone += timestamps.without_zone();
}

}  // namespace ergon::fleet
