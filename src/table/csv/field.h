#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "table/csv/bitmask.h"

namespace ergon::table::csv {

// A raw field, with quotes and without the line end.
struct RawField {
  std::string_view text;
  std::uint32_t quotes = 0;  // how many quotes it holds

  bool quoted() const { return quotes > 0 && text.front() == '"'; }
};

// The value of a field: without the enclosing quotes, doubled quotes made single (in `scratch`, if there are
// any). Absent if the quotes violate RFC 4180; quote_fault() then describes the error.
inline std::optional<std::string_view> field_value(const RawField& field, std::string& scratch);
std::string_view quote_fault(const RawField& field);
std::optional<std::string_view> unescaped_value(const RawField& field, std::string& scratch);

inline std::optional<std::string_view> field_value(const RawField& field, std::string& scratch) {
  const std::string_view text = field.text;
  if (field.quotes == 0) return text;
  const bool simply_enclosed =
      field.quotes == 2 && text.size() >= 2 && text.front() == '"' && text.back() == '"';
  if (simply_enclosed) return std::string_view(text.data() + 1, text.size() - 2);
  return unescaped_value(field, scratch);
}

// Walks the fields of all rows that begin at or after `begin` and before `limit`; `begin` must be the
// beginning of a row. Calls visit(field, ends_row) for each and stops early when it returns false.
//
// Each block of 64 bytes becomes three bit masks: separators, line ends and quotes. The parity of the quotes
// gives the bytes inside quoted fields, and the remaining separators and line ends are visited bit by bit.
template <typename Visit>
void walk_fields(std::string_view text, std::size_t begin, std::size_t limit, char separator, Visit&& visit) {
  if (begin >= text.size() || begin >= limit) return;
  std::size_t field_begin = begin;
  std::uint32_t field_quotes = 0;
  std::uint64_t inside_carry = 0;
  for (std::size_t at = begin; at < text.size(); at += kBlock) {
    const Block block = block_at(text, at);
    const std::uint64_t line_ends = block.equal_to('\n');
    const std::uint64_t quotes = block.equal_to('"');
    const std::uint64_t inside = (quotes != 0 ? prefix_parity(quotes) : 0) ^ inside_carry;
    inside_carry = spread_last_bit(inside);
    std::uint64_t unseen_quotes = quotes;
    std::uint64_t structure = (block.equal_to(separator) | line_ends) & ~inside;
    while (structure != 0) {
      const int bit = std::countr_zero(structure);
      const std::uint64_t lowest = structure & (~structure + 1);
      structure ^= lowest;
      if (unseen_quotes != 0) {
        field_quotes += count_few(unseen_quotes & (lowest - 1));
        unseen_quotes &= ~(lowest - 1);
      }
      const std::size_t end = at + static_cast<std::size_t>(bit);
      const bool ends_row = (line_ends & lowest) != 0;
      const bool carriage_return = ends_row && end > field_begin && text[end - 1] == '\r';
      const std::size_t length = end - field_begin - (carriage_return ? 1 : 0);
      if (!visit(RawField{{text.data() + field_begin, length}, field_quotes}, ends_row)) return;
      field_begin = end + 1;
      field_quotes = 0;
      if (ends_row && (field_begin >= limit || field_begin >= text.size())) return;
    }
    field_quotes += count_few(unseen_quotes);
  }
  // The last row may lack its line end.
  std::string_view last = text.substr(field_begin);
  if (last.ends_with('\r')) last.remove_suffix(1);
  visit(RawField{last, field_quotes}, true);
}

}  // namespace ergon::table::csv
