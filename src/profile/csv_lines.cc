#include "profile/csv_lines.h"

#include <algorithm>

#include "base/text.h"
#include "table/csv/field.h"

namespace ergon::profile {

void append_field(std::string& line, std::string_view text) {
  const bool quoted = text.find_first_of(",\"") != std::string_view::npos;
  if (quoted) line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c == '\n' || c == '\r' ? ' ' : c;
  }
  if (quoted) line += '"';
}

std::string_view whole_lines(std::string_view text) {
  const auto last = text.rfind('\n');
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

Result<CsvLines> CsvLines::open(std::string_view text, std::string_view source,
                                std::span<const Column> columns) {
  CsvLines lines(text, source, columns);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) lines.position_ = kByteOrderMark.size();
  if (!lines.next_line()) return lines;
  if (auto read = lines.read_header(); !read) return read.error();
  return lines;
}

bool CsvLines::next_line() {
  while (position_ < text_.size()) {
    const std::size_t end = text_.find('\n', position_);
    line_ = text_.substr(position_, end == std::string_view::npos ? end : end - position_);
    position_ = end == std::string_view::npos ? text_.size() : end + 1;
    ++line_number_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    if (!line_.empty()) return true;
  }
  return false;
}

Result<> CsvLines::split_line() {
  constexpr std::size_t kMaxFields = 10'000;
  std::optional<Error> fault;
  std::string scratch;
  fields_used_ = 0;
  table::csv::walk_fields(line_, 0, line_.size(), ',', [&](const table::csv::RawField& raw, bool) {
    const auto value = table::csv::field_value(raw, scratch);
    if (!value) {
      fault = damaged(table::csv::quote_fault(raw));
      return false;
    }
    if (fields_used_ == kMaxFields) {
      fault = damaged(fmt::format("more than {} fields", kMaxFields));
      return false;
    }
    if (fields_used_ == fields_.size()) fields_.emplace_back();
    fields_[fields_used_++] = *value;
    return true;
  });
  if (fault) return *fault;
  return {};
}

Result<> CsvLines::read_header() {
  if (auto split = split_line(); !split) return split;
  width_ = fields_used_;
  const auto end = fields_.begin() + static_cast<std::ptrdiff_t>(width_);
  for (const Column& column : columns_) {
    auto found = std::find(fields_.begin(), end, column.name);
    if (found == end && !column.former_name.empty())
      found = std::find(fields_.begin(), end, column.former_name);
    if (found == end) {
      if (column.required) return damaged(fmt::format("column \"{}\" is missing", column.name));
      indices_.emplace_back();
      continue;
    }
    if (std::find(found + 1, end, column.name) != end) {
      return damaged(fmt::format("column \"{}\" appears twice", column.name));
    }
    indices_.emplace_back(static_cast<std::size_t>(found - fields_.begin()));
  }
  return {};
}

Result<bool> CsvLines::next() {
  if (!next_line()) return false;
  if (auto split = split_line(); !split) return split.error();
  if (fields_used_ != width_) {
    return damaged(fmt::format("{}, but the header has {}", counted(fields_used_, "field"), width_));
  }
  return true;
}

std::optional<std::string_view> CsvLines::field(std::size_t column) const {
  const auto index = indices_[column];
  return index ? std::optional<std::string_view>(fields_[*index]) : std::nullopt;
}

Error CsvLines::unreadable(std::size_t column, std::string_view expected) const {
  return damaged(fmt::format("{}: expected {}, not \"{}\"", columns_[column].name, expected,
                             printable(field(column).value_or(""))));
}

Error CsvLines::damaged(std::string_view what) const {
  return fail(Errc::invalid_input, "{}:{}: {}", source_, line_number_, what);
}

}  // namespace ergon::profile
