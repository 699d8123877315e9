#include "sweep/evaluation/columns.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/si_prefixes.h"
#include "base/text.h"
#include "base/units_text.h"

namespace ergon::sweep {
namespace {

// The column of a field in runs.csv, its short names, and the unit of a number without unit.
struct KnownField {
  Field field;
  std::string_view column;
  std::vector<std::string_view> short_names;
  double unit = 1;
  std::optional<QuantityKind> kind = {};  // of fields whose mapping may have a unit
};

const std::array<KnownField, 13>& known_fields() {
  static const std::array<KnownField, 13> all{{
      {Field::network, "network", {}},
      {Field::device, "device", {}},
      {Field::batch, "batch", {}},
      {Field::scenario, "scenario", {}},
      {Field::clock_requested, "clock_requested_mhz", {"clock"}, kMega, QuantityKind::frequency},
      {Field::clock_observed, "clock_observed_mhz", {"clock_observed"}, kMega, QuantityKind::frequency},
      {Field::time, "time_seconds", {"time"}, 1, QuantityKind::time},
      {Field::power_max, "power_max_watts", {"power_max"}, 1, QuantityKind::power},
      {Field::power_mean, "power_mean_watts", {"power", "power_mean"}, 1, QuantityKind::power},
      {Field::energy, "energy_joules", {"energy"}, 1, QuantityKind::energy},
      {Field::valid, "valid", {}},
      {Field::reasons, "reasons", {}},
      {Field::simulated, "simulated", {}},
  }};
  return all;
}

// Columns of runs.csv that the evaluation ignores; a mapping may name them.
constexpr std::array<std::string_view, 5> kUnused{"repetition", "energy_uncertainty_joules",
                                                  "temperature_celsius", "event_reasons", "started_at"};

const KnownField* known_field(std::string_view name) {
  for (const KnownField& known : known_fields()) {
    const auto& names = known.short_names;
    if (name == known.column || std::find(names.begin(), names.end(), name) != names.end()) return &known;
  }
  return nullptr;
}

bool has(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string column_list(std::span<const std::string> names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(printable(name));
  return fmt::format("{}", fmt::join(shown, ", "));
}

// The columns that the right side of a mapping names.
Result<FieldSource> source_of(const KnownField& known, std::string_view theirs,
                              std::span<const std::string> names) {
  FieldSource source{{}, known.unit};
  if (has(names, theirs)) {
    source.columns.emplace_back(theirs);
    return source;
  }
  if (const auto colon = theirs.rfind(':'); colon != std::string_view::npos && known.kind) {
    const std::string_view unit = theirs.substr(colon + 1);
    const auto one = parse_si(fmt::format("1{}", unit), *known.kind, known.column);
    if (!one) return one.error();
    theirs = theirs.substr(0, colon);
    source.unit = *one;
    if (has(names, theirs)) {
      source.columns.emplace_back(theirs);
      return source;
    }
  }
  if (theirs.empty()) return fail(Errc::invalid_input, "the column name is empty");
  const auto parts = split(theirs, '+');
  if (parts.size() > 1 && known.field != Field::network)
    return fail(Errc::invalid_input, "only network can be joined from several columns, not {}", known.column);
  for (const std::string_view part : parts) {
    if (!has(names, part)) {
      return fail(Errc::not_found, "no column \"{}\"{}; the columns are {}", printable(part),
                  suggestion(part, names), column_list(names));
    }
    source.columns.emplace_back(part);
  }
  return source;
}

// Column names may contain '=', so every '=' is tried as the separator, OURS=THEIRS first.
Result<> take_mapping(std::string_view mapping, std::span<const std::string> names, FieldSources& sources) {
  std::optional<Error> first_fault;
  for (const bool ours_left : {true, false}) {
    for (auto cut = mapping.find('='); cut != std::string_view::npos; cut = mapping.find('=', cut + 1)) {
      const std::string_view left = trim(mapping.substr(0, cut)), right = trim(mapping.substr(cut + 1));
      const std::string_view ours = ours_left ? left : right, theirs = ours_left ? right : left;
      if (std::find(kUnused.begin(), kUnused.end(), ours) != kUnused.end() && has(names, theirs)) return {};
      const KnownField* const known = known_field(ours);
      if (known == nullptr) continue;
      auto source = source_of(*known, theirs, names);
      if (source) {
        if (!sources.try_emplace(known->field, std::move(*source)).second)
          return fail(Errc::invalid_input, "{} is mapped twice", known->column);
        return {};
      }
      if (!first_fault) first_fault = source.error().in(fmt::format("\"{}\"", printable(mapping)));
    }
  }
  if (first_fault) return *first_fault;
  return fail(Errc::invalid_input, "\"{}\" is not OURS=THEIRS with OURS one of {}", printable(mapping),
              fmt::join(short_field_names(), ", "));
}

}  // namespace

std::vector<std::string> short_field_names() {
  std::vector<std::string> names;
  for (const KnownField& known : known_fields())
    names.emplace_back(known.short_names.empty() ? known.column : known.short_names.front());
  return names;
}

Result<FieldSources> mapped_sources(std::span<const std::string> names,
                                    std::span<const std::string> mappings) {
  FieldSources sources;
  for (const std::string& mapping : mappings) {
    if (const auto taken = take_mapping(mapping, names, sources); !taken) return taken.error();
  }
  return sources;
}

Result<FieldSources> field_sources(std::span<const std::string> names,
                                   std::span<const std::string> mappings) {
  auto mapped = mapped_sources(names, mappings);
  if (!mapped) return mapped.error();
  FieldSources sources = std::move(*mapped);
  // A mapped clock column replaces both default clock columns.
  const bool clock_given =
      sources.contains(Field::clock_requested) || sources.contains(Field::clock_observed);
  for (const KnownField& known : known_fields()) {
    const bool clock = known.field == Field::clock_requested || known.field == Field::clock_observed;
    if (sources.contains(known.field) || (clock && clock_given)) continue;
    std::vector<std::string_view> accepted{known.column};
    accepted.insert(accepted.end(), known.short_names.begin(), known.short_names.end());
    for (const std::string_view name : accepted) {
      if (!has(names, name)) continue;
      sources.try_emplace(known.field, FieldSource{{std::string(name)}, known.unit});
    }
  }
  std::vector<std::string> missing;
  if (!sources.contains(Field::network)) missing.emplace_back("network");
  if (!sources.contains(Field::clock_requested) && !sources.contains(Field::clock_observed))
    missing.emplace_back("clock (clock_requested_mhz)");
  if (!sources.contains(Field::time)) missing.emplace_back("time (time_seconds)");
  if (!sources.contains(Field::power_max) && !sources.contains(Field::power_mean))
    missing.emplace_back("power (power_max_watts or power_mean_watts)");
  if (!missing.empty()) {
    return fail(Errc::invalid_input,
                "no column for {}; the columns are {}; map them, for example "
                "--columns network=application,clock=sm_app_clock,power=power_usage,time=run_time",
                fmt::join(missing, ", "), column_list(names));
  }
  return sources;
}

}  // namespace ergon::sweep
