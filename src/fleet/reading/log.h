#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/reading/columns.h"
#include "fleet/reading/telemetry.h"
#include "table/text_input.h"

namespace ergon::fleet {

enum class LogKind : std::uint8_t { checkpoints, samples };

// A log file to read.
struct LogInput {
  std::filesystem::path file;
  LogKind kind = LogKind::checkpoints;
  ColumnMapping mapping;
  std::string host;  // host of samples without a host column (default: the file name without its extension)
};

// A CSV log, read in chunks from begin to end.
class Log {
 public:
  static Result<Log> open(const LogInput& source, std::int64_t zone_ns, const std::stop_token& stop);

  LogKind kind() const { return kind_; }
  const std::filesystem::path& file() const { return file_; }
  std::string_view host() const { return host_; }
  std::string_view text() const { return input_.text(); }
  std::span<const std::size_t> columns() const { return columns_; }

  bool done() const { return at_ >= text().size(); }
  std::size_t size() const { return text().size(); }
  std::size_t position() const { return at_; }
  // The next whole lines, about `bytes` in total, in about `pieces` parts.
  std::vector<std::string_view> next(std::size_t bytes, std::size_t pieces);
  void rewind() { at_ = body_, reached_ = Timestamp{INT64_MIN}; }
  // Allows the pages of a piece to be unmapped. They are loaded again on the next access.
  void release(std::string_view piece) const;

  // The latest time that was read; set by the reader through reach().
  Timestamp reached() const { return reached_; }
  void reach(Timestamp at) { reached_ = std::max(reached_, at); }

  // Whether rows are ordered by time up to `lateness`, judged from a few hundred of them.
  bool seems_ordered(Seconds lateness) const;
  // Whether the file has grown since it was opened.
  bool grew() const;

 private:
  Log(LogInput source, table::TextInput input, std::vector<std::size_t> columns, std::size_t body,
      std::int64_t zone_ns);
  std::string_view line_from(std::size_t at) const;

  LogKind kind_;
  std::filesystem::path file_;
  std::string host_;
  table::TextInput input_;
  std::vector<std::size_t> columns_;
  std::size_t body_ = 0, at_ = 0;
  std::int64_t zone_ns_;
  Timestamp reached_{INT64_MIN};
};

}  // namespace ergon::fleet
