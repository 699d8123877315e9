#include "table/csv/field.h"

namespace ergon::table::csv {

std::optional<std::string_view> unescaped_value(const RawField& field, std::string& scratch) {
  if (!quote_fault(field).empty()) return std::nullopt;
  const std::string_view inner = field.text.substr(1, field.text.size() - 2);
  scratch.clear();
  for (std::size_t i = 0; i < inner.size(); ++i) {
    scratch += inner[i];
    if (inner[i] == '"') ++i;  // the second of a pair
  }
  return scratch;
}

std::string_view quote_fault(const RawField& field) {
  if (field.quotes == 0) return "";
  const std::string_view text = field.text;
  if (text.front() != '"') return "a quote inside a field that does not begin with one";
  if (field.quotes == 2 && text.size() >= 2 && text.back() == '"') return "";
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') continue;
    if (i + 1 == text.size()) return "";
    if (text[i + 1] != '"') return "text behind the closing quote";
    ++i;
  }
  return "a quote that is never closed";
}

}  // namespace ergon::table::csv
