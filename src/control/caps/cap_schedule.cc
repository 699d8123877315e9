#include "control/caps/cap_schedule.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"
#include "table/file_format.h"

namespace ergon::control {
namespace {

using Change = std::optional<CapChange>;

struct Entry {
  Seconds from;
  Watts cap;
};

class ScheduledCap final : public CapSource {
 public:
  explicit ScheduledCap(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  Result<Change> poll(Seconds now) override {
    const std::size_t before = reached_;
    while (reached_ < entries_.size() && entries_[reached_].from <= now) ++reached_;
    if (reached_ == before) return Change();
    return Change(CapChange{entries_[reached_ - 1].cap, "schedule"});
  }

 private:
  std::vector<Entry> entries_;
  std::size_t reached_ = 0;  // number of entries in force so far
};

using Fields = std::vector<std::string_view>;

// Empty for a blank or comment line.
Fields fields_of(std::string_view line) {
  line = trim(line.substr(0, line.find('#')));
  if (line.empty()) return {};
  Fields fields = split(line, ',');
  for (std::string_view& field : fields) field = trim(field);
  return fields;
}

Result<Entry> parse_entry(const Fields& fields) {
  if (fields.size() != 2) {
    return fail(Errc::invalid_input, "{}; expected a time and a cap, for example 10s,250W",
                counted(fields.size(), "field"));
  }
  const auto from = parse_quantity<Seconds>(with_unit(printable(fields[0]), "s"), "");
  if (!from) return from.error();
  if (*from < Seconds{0}) {
    return fail(Errc::invalid_input, "{}: the time must not be negative", printable(fields[0]));
  }
  const auto cap = parse_cap(fields[1]);
  if (!cap) return cap.error();
  return Entry{*from, *cap};
}

Result<std::vector<Entry>> parse_schedule(std::string_view text, const std::string& source) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const Fields header{"time_seconds", "watts"};
  std::vector<Entry> entries;
  bool first = true;
  int number = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::string here = fmt::format("{}:{}", source, ++number);
    const Fields fields = fields_of(line);
    if (fields.empty()) continue;
    const bool may_be_header = std::exchange(first, false);
    if (may_be_header && fields == header) continue;
    const auto entry = parse_entry(fields);
    if (!entry) {
      Error error = entry.error().in(here);
      if (may_be_header) error.message += " (the header is time_seconds,watts)";
      return error;
    }
    if (!entries.empty() && entry->from <= entries.back().from) {
      return fail(Errc::invalid_input, "{} is not after {}, the previous time", to_exact_text(entry->from),
                  to_exact_text(entries.back().from))
          .in(here);
    }
    entries.push_back(*entry);
  }
  if (entries.empty()) return fail(Errc::invalid_input, "contains no cap").in(source);
  return entries;
}

}  // namespace

Result<std::unique_ptr<CapSource>> scheduled_cap(const std::string& path) {
  if (const auto supported = table::check_table_input(path); !supported) return supported.error();
  const auto text = read_file(path);
  if (!text) return text.error();
  auto entries = parse_schedule(*text, path);
  if (!entries) return entries.error();
  return std::unique_ptr<CapSource>(std::make_unique<ScheduledCap>(std::move(*entries)));
}

Result<std::unique_ptr<CapSource>> scheduled_cap_from_start(const std::string& path) {
  auto schedule = scheduled_cap(path);
  if (!schedule) return schedule;
  // poll() consumes the first cap, so the run gets a new source.
  if (const auto first = (*schedule)->poll(Seconds{0}); first && !*first)
    return fail(Errc::invalid_input, "no cap at time 0; the first line must have time 0").in(path);
  return scheduled_cap(path);
}

}  // namespace ergon::control
