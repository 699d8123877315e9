#include "fleet/reading/log.h"

#include <algorithm>
#include <system_error>

#include "fleet/reading/rows.h"
#include "fleet/reading/values.h"
#include "table/csv/header.h"

namespace ergon::fleet {
namespace {

constexpr std::size_t kProbes = 256;

// nvidia-smi writes a blank after each comma.
std::vector<std::string> trimmed(std::vector<std::string> names) {
  for (std::string& name : names) name.erase(0, name.find_first_not_of(' '));
  return names;
}

}  // namespace

Log::Log(LogInput source, table::TextInput input, std::vector<std::size_t> columns, std::size_t body,
         std::int64_t zone_ns)
    : kind_(source.kind),
      file_(std::move(source.file)),
      host_(std::move(source.host)),
      input_(std::move(input)),
      columns_(std::move(columns)),
      body_(body),
      at_(body),
      zone_ns_(zone_ns) {}

Result<Log> Log::open(const LogInput& source, std::int64_t zone_ns, const std::stop_token& stop) {
  auto input = table::TextInput::open(source.file, stop);
  if (!input) return input.error();
  const auto header = table::csv::read_header(input->text(), {});
  if (!header) return header.error().in(source.file.string());
  const bool samples = source.kind == LogKind::samples;
  auto columns = find_columns(samples ? sample_roles() : checkpoint_roles(), trimmed(header->names),
                              source.mapping, samples ? "--map-gpu" : "--map-checkpoints");
  if (!columns) return columns.error().in(source.file.string());
  for (const std::size_t column : *columns) {
    if (column != kAbsent && column >= LogRow::kMaxColumns)
      return fail(Errc::invalid_input, "{}: only the first {} columns are supported", source.file.string(),
                  LogRow::kMaxColumns);
  }
  LogInput named = source;
  if (named.host.empty()) named.host = source.file.stem().string();
  return Log(std::move(named), std::move(*input), std::move(*columns), header->body, zone_ns);
}

std::vector<std::string_view> Log::next(std::size_t bytes, std::size_t pieces) {
  std::vector<std::string_view> parts;
  const std::size_t limit = std::min(text().size(), at_ + bytes);
  const std::size_t step = std::max<std::size_t>(1, (limit - at_) / std::max<std::size_t>(1, pieces));
  while (at_ < limit) {
    const std::size_t line_end = text().find('\n', std::min(limit, at_ + step) - 1);
    const std::size_t end = line_end == std::string_view::npos ? text().size() : line_end + 1;
    parts.push_back(text().substr(at_, end - at_));
    at_ = end;
  }
  return parts;
}

void Log::release(std::string_view piece) const {
  const auto begin = static_cast<std::size_t>(piece.data() - text().data());
  input_.release(begin, begin + piece.size());
}

std::string_view Log::line_from(std::size_t at) const {
  const std::size_t before = text().find('\n', at);
  if (before == std::string_view::npos) return {};
  const std::size_t end = text().find('\n', before + 1);
  return end == std::string_view::npos ? std::string_view{} : text().substr(before + 1, end - before - 1);
}

bool Log::seems_ordered(Seconds lateness) const {
  TimestampReader timestamps(zone_ns_);
  const std::size_t time = columns_[0];
  std::optional<Timestamp> latest;
  bool ordered = true;
  for (std::size_t probe = 0; probe < kProbes; ++probe) {
    walk_rows(line_from(body_ + (size() - body_) / kProbes * probe), [&](LogRow& row) {
      if (time >= row.size() || !row[time]) return true;
      const auto at = timestamps.read(*row[time]);
      if (!at) return true;
      if (latest && *latest - *at > lateness) ordered = false;
      if (!latest || *at > *latest) latest = at;
      return true;
    });
    if (!ordered) break;
  }
  input_.release(0, size());
  return ordered;
}

bool Log::grew() const {
  std::error_code failed;
  const auto size_now = std::filesystem::file_size(file_, failed);
  // A compressed file is smaller than its text, so its growth is not detected.
  return !failed && size_now > size();
}

}  // namespace ergon::fleet
