#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/file.h"
#include "base/result.h"
#include "base/timestamp.h"

namespace ergon::fleet::synthetic {

// A CSV file, written through a small buffer. The file appears at its path on commit().
class RowFile {
 public:
  static Result<RowFile> create(const std::filesystem::path& path, std::string_view header);

  // Buffer to which the next row is appended; end_row() ends it.
  std::string& text() { return text_; }
  Result<> end_row();
  Result<> commit();

  std::uint64_t rows() const { return rows_; }
  std::uint64_t bytes() const { return bytes_ + text_.size(); }

 private:
  explicit RowFile(AtomicFile file) : file_(std::move(file)) {}
  Result<> flush();

  AtomicFile file_;
  std::string text_;
  std::uint64_t rows_ = 0, bytes_ = 0;
};

// Formats times as "2018-11-08T07:41:30.957Z", with quotes. Caches the text of the last second, because the
// next row is usually within it.
class TimestampText {
 public:
  explicit TimestampText(Timestamp start);
  void append(Instant moment, std::string& to);

 private:
  std::int64_t start_ms_;
  std::int64_t second_ = INT64_MIN;
  std::string text_;  // of that second, with three digits for milliseconds
};

void append_number(std::int64_t number, std::string& to);
// 12599 as 125.99, 7470 as 74.7, 12800 as 128.
void append_hundredths(std::int64_t hundredths, std::string& to);

}  // namespace ergon::fleet::synthetic
