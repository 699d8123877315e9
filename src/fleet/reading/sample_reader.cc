#include "fleet/reading/sample_reader.h"

#include <algorithm>
#include <limits>

#include "fleet/reading/name_hash.h"
#include "fleet/reading/rows.h"
#include "fleet/reading/values.h"

namespace ergon::fleet {

double believed(std::optional<double> value, Metric metric, RowCounts& counts) {
  const auto m = static_cast<std::size_t>(metric);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  if (!value) return ++counts.not_available[m], kNothing;
  if (!(*value >= kPlausible[m].least && *value <= kPlausible[m].most)) return ++counts.absurd[m], kNothing;
  return *value;
}

Code SampleReader::known(const Identity& identity) {
  const std::uint64_t hash = name_hash(identity.key);
  NameCache::Entry& entry = gpus_.find(identity.key, hash);
  if (entry.code != kNobody && entry.host == identity.host) return entry.code;
  const Code host = words_.hosts.code_of(identity.host);
  const Code code =
      words_.gpus.code_of(identity.key, {host, utf8_name(identity.uuid), utf8_name(identity.serial)});
  // One that moved is looked up anew each time; its first host stays in the cache.
  if (entry.code != kNobody) return code;
  entry = {hash, words_.gpus.key(code), words_.hosts.as_given(host), code};
  gpus_.filled();
  return code;
}

void SampleReader::read(std::string_view text, std::string_view piece, std::span<const std::size_t> places,
                        std::string_view host, std::vector<Sample>& rows, RowCounts& counts) {
  const auto place_of = [&](SampleRole role) { return places[static_cast<std::size_t>(role)]; };
  const std::size_t time = place_of(SampleRole::time), host_place = place_of(SampleRole::host),
                    uuid = place_of(SampleRole::uuid), serial = place_of(SampleRole::serial),
                    index = place_of(SampleRole::index);
  const PerMetric<std::size_t> metrics{place_of(SampleRole::power), place_of(SampleRole::temperature),
                                       place_of(SampleRole::utilisation), place_of(SampleRole::memory)};
  std::size_t least = 0;
  for (const std::size_t place : places) least = std::max(least, place == kAbsent ? 0 : place + 1);

  MomentReader moments(zone_ns_);
  rows.reserve(rows.size() + piece.size() / 120);
  walk_rows(piece, [&](Row& row) {
    ++counts.rows;
    if (row.size() < least) return ++(unfinished(row, text) ? counts.cut_off : counts.malformed), false;
    const auto text_of = [&](std::size_t place) {
      return place == kAbsent ? std::string_view{} : row[place].value_or(std::string_view{});
    };
    const auto time_text = row[time];
    if (!time_text) return ++(unfinished(row, text) ? counts.cut_off : counts.malformed), false;
    const auto at = moments.read(*time_text);
    if (!at) return ++counts.bad_time, true;

    Identity identity;
    identity.host = host_place == kAbsent ? host : text_of(host_place);
    identity.uuid = text_of(uuid);
    identity.serial = text_of(serial);
    identity.key = !identity.uuid.empty()     ? identity.uuid
                   : !identity.serial.empty() ? identity.serial
                                              : text_of(index);
    if (identity.key.empty()) identity.key = identity.host;
    if (identity.host.empty()) return ++counts.nameless, true;

    PerMetric<double> values;
    for (const Metric metric : kAllMetrics) {
      const auto m = static_cast<std::size_t>(metric);
      const std::size_t place = metrics[m];
      values[m] = place == kAbsent ? std::numeric_limits<double>::quiet_NaN()
                                   : believed(read_value(text_of(place)), metric, counts);
    }
    rows.push_back({*at, values[0], static_cast<float>(values[1]), static_cast<float>(values[2]),
                    static_cast<float>(values[3]), known(identity)});
    return true;
  });
  counts.zoneless += moments.zoneless();
}

}  // namespace ergon::fleet
