#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "table/csv/field.h"

namespace ergon::fleet {

// The fields of one line of a log. A row is one line: an unterminated quote invalidates its line and not the
// following ones.
class LogRow {
 public:
  static constexpr std::size_t kMaxColumns = 64;  // further columns are ignored

  void clear() {
    size_ = 0;
    if (!unescaped_.empty()) unescaped_.clear();
  }
  void add(const table::csv::RawField& field) {
    if (size_ < kMaxColumns) fields_[size_] = field;
    ++size_;
    end_ = field.text.data() + field.text.size();
  }

  std::size_t size() const { return size_; }
  bool blank() const { return size_ == 1 && fields_[0].text.empty(); }
  const char* begin() const { return fields_[0].text.data(); }
  const char* end() const { return end_; }

  // The value of a field without leading blanks (nvidia-smi writes them); absent if its quotes are invalid or
  // it is beyond kMaxColumns. Contract: i < size().
  std::optional<std::string_view> operator[](std::size_t i) {
    if (i >= kMaxColumns) return std::nullopt;
    const table::csv::RawField& field = fields_[i];
    std::string_view text = field.text;
    if (field.quotes != 0) {
      const bool simply_enclosed =
          field.quotes == 2 && text.size() >= 2 && text.front() == '"' && text.back() == '"';
      if (!simply_enclosed) return unescaped(field);
      text = {text.data() + 1, text.size() - 2};
    }
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return text;
  }

 private:
  // Slow path for fields with quotes inside. The text is valid until clear().
  [[gnu::noinline]] std::optional<std::string_view> unescaped(const table::csv::RawField& field) {
    return table::csv::unescaped_value(field, unescaped_.emplace_back());
  }

  std::array<table::csv::RawField, kMaxColumns> fields_;
  std::size_t size_ = 0;
  const char* end_ = nullptr;
  std::deque<std::string> unescaped_;
};

// Whether the row is the last line of the text and has no newline.
inline bool unfinished(const LogRow& row, std::string_view text) {
  return row.end() == text.data() + text.size() && !text.ends_with('\n');
}

// Calls visit(row) for each line that is not blank. The visitor returns false for a malformed row; if that
// row spans several lines because of a quote, reading resumes at its second line.
template <typename Visit>
void walk_rows(std::string_view text, const Visit& visit) {
  LogRow row;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t again = text.size();
    table::csv::walk_fields(
        text, begin, text.size(), ',', [&](const table::csv::RawField& field, bool ends_row) {
          row.add(field);
          if (!ends_row) return true;
          if (!row.blank() && !visit(row)) {
            const auto length = static_cast<std::size_t>(row.end() - row.begin());
            const auto* line_end = static_cast<const char*>(std::memchr(row.begin(), '\n', length));
            if (line_end != nullptr) {
              again = static_cast<std::size_t>(line_end + 1 - text.data());
              return false;
            }
          }
          row.clear();
          return true;
        });
    row.clear();
    begin = again;
  }
}

}  // namespace ergon::fleet
