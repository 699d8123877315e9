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

// A file of rows, read a stretch at a time from its beginning to its end.
class Log {
 public:
  struct Source {
    std::filesystem::path file;
    LogKind kind = LogKind::checkpoints;
    Mapping mapping;
    std::string host;  // whose samples they are where no column says so; else the file's name without ending
  };
  static Result<Log> open(const Source& source, std::int64_t zone_ns, const std::stop_token& stop);

  LogKind kind() const { return kind_; }
  const std::filesystem::path& file() const { return file_; }
  std::string_view host() const { return host_; }
  std::string_view text() const { return input_.text(); }
  std::span<const std::size_t> places() const { return places_; }

  bool done() const { return at_ >= text().size(); }
  std::size_t size() const { return text().size(); }
  std::size_t position() const { return at_; }
  // The next lines, about `bytes` of them, in about `pieces` parts.
  std::vector<std::string_view> next(std::size_t bytes, std::size_t pieces);
  void rewind() { at_ = body_, reached_ = Timestamp{INT64_MIN}; }
  // The text of a piece is not needed for now.
  void release(std::string_view piece) const;

  // The latest time that was read; whoever reads says it.
  Timestamp reached() const { return reached_; }
  void reach(Timestamp at) { reached_ = std::max(reached_, at); }

  // Whether its rows come in the order of time, judged by a few hundred of them.
  bool seems_ordered(Seconds lateness) const;
  // Whether it has grown since it was opened.
  bool grew() const;

 private:
  Log(Source source, table::TextInput input, std::vector<std::size_t> places, std::size_t body,
      std::int64_t zone_ns);
  std::string_view line_from(std::size_t at) const;

  LogKind kind_;
  std::filesystem::path file_;
  std::string host_;
  table::TextInput input_;
  std::vector<std::size_t> places_;
  std::size_t body_ = 0, at_ = 0;
  std::int64_t zone_ns_;
  Timestamp reached_{INT64_MIN};
};

}  // namespace ergon::fleet
