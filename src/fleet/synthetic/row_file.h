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

// A CSV file that grows row by row through a small buffer and appears when it is complete.
class RowFile {
 public:
  static Result<RowFile> create(const std::filesystem::path& path, std::string_view header);

  // Where the next row is put together; whole rows end with end_row().
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

// Moments as text: "2018-11-08T07:41:30.957Z", with quotes. It keeps the text of the last second, as the next
// row is most often within it.
class MomentText {
 public:
  explicit MomentText(Timestamp start);
  void append(Instant moment, std::string& to);

 private:
  std::int64_t start_ms_;
  std::int64_t second_ = INT64_MIN;
  std::string text_;  // of the second, and room for its fraction
};

void append_number(std::int64_t number, std::string& to);
// 12599 as 125.99, 7470 as 74.7, 12800 as 128.
void append_hundredths(std::int64_t hundredths, std::string& to);

}  // namespace ergon::fleet::synthetic
