#include "table/csv/value.h"

#include <algorithm>

#include "base/text.h"

namespace ergon::table::csv {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool leading_zero(std::string_view value) {
  if (!value.empty() && (value.front() == '-' || value.front() == '+')) value.remove_prefix(1);
  return value.size() > 1 && value[0] == '0' && digit(value[1]);
}

bool only_digits(std::string_view value) {
  if (!value.empty() && (value.front() == '-' || value.front() == '+')) value.remove_prefix(1);
  return !value.empty() && std::all_of(value.begin(), value.end(), digit);
}

}  // namespace

std::optional<std::int64_t> inferred_int64(std::string_view value) {
  return leading_zero(value) ? std::nullopt : parse_int64(value);
}

std::optional<double> inferred_float64(std::string_view value) {
  if (leading_zero(value)) return std::nullopt;
  // An integer beyond 64 bits has at least 19 characters.
  if (value.size() >= 19 && only_digits(value) && !parse_int64(value)) return std::nullopt;
  return parse_double(value);
}

Type narrowest_type(std::string_view value) {
  if (inferred_int64(value)) return Type::int64;
  if (inferred_float64(value)) return Type::float64;
  if (parse_timestamp(value)) return Type::timestamp;
  return Type::text;
}

KnownType join(KnownType a, KnownType b) {
  if (!a || a == b) return b;
  if (!b) return a;
  const auto number = [](Type type) { return type == Type::int64 || type == Type::float64; };
  return number(*a) && number(*b) ? Type::float64 : Type::text;
}

bool means_missing(std::string_view value, const std::vector<std::string>& missing_words) {
  return value.empty() || std::find(missing_words.begin(), missing_words.end(), value) != missing_words.end();
}

}  // namespace ergon::table::csv
