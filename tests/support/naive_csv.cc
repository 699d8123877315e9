#include "support/naive_csv.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace ergon::test {
namespace {

using table::Type;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string without_sign(const std::string& value) {
  return !value.empty() && (value[0] == '-' || value[0] == '+') ? value.substr(1) : value;
}

bool all_digits(const std::string& value) {
  return !value.empty() && std::all_of(value.begin(), value.end(), is_digit);
}

bool has_leading_zero(const std::string& value) {
  const std::string digits = without_sign(value);
  return digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
}

bool is_whole(const std::string& value) { return all_digits(without_sign(value)); }

bool fits_64_bits(const std::string& value) {
  const std::string limit = value[0] == '-' ? "9223372036854775808" : "9223372036854775807";
  const std::string digits = without_sign(value);
  return digits.size() < limit.size() || (digits.size() == limit.size() && digits <= limit);
}

bool is_int(const std::string& value) {
  return is_whole(value) && !has_leading_zero(value) && fits_64_bits(value);
}

bool is_float(const std::string& value) {
  if (has_leading_zero(value) || (is_whole(value) && !fits_64_bits(value))) return false;
  const std::string number = without_sign(value);
  std::size_t at = 0;
  std::size_t digits = 0;
  const auto skip_digits = [&] {
    for (; at < number.size() && is_digit(number[at]); ++at) ++digits;
  };
  skip_digits();
  if (at < number.size() && number[at] == '.') {
    ++at;
    skip_digits();
  }
  if (digits == 0) return false;
  if (at < number.size() && (number[at] == 'e' || number[at] == 'E')) {
    ++at;
    if (at < number.size() && (number[at] == '-' || number[at] == '+')) ++at;
    digits = 0;
    skip_digits();
    if (digits == 0) return false;
  }
  if (at != number.size()) return false;
  // Too large for a double is text; too small is rounded to what a double has, as every number is.
  return std::isfinite(std::strtod(value.c_str(), nullptr));
}

// True if the text has this shape: 9 is any digit, T any separator of date and time.
bool has_shape(const std::string& text, std::string_view shape) {
  if (text.size() != shape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool fits = shape[i] == '9'   ? is_digit(c)
                      : shape[i] == 'T' ? c == 'T' || c == 't' || c == ' '
                                        : c == shape[i];
    if (!fits) return false;
  }
  return true;
}

int digits_at(const std::string& text, std::size_t at, std::size_t count = 2) {
  return std::atoi(text.substr(at, count).c_str());
}

bool is_date(const std::string& text) {
  if (!has_shape(text, "9999-99-99")) return false;
  const int year = digits_at(text, 0, 4), month = digits_at(text, 5), day = digits_at(text, 8);
  const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1678 || year > 2261 || month < 1 || month > 12) return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day >= 1 && day <= (month == 2 && leap ? 29 : month_days[month - 1]);
}

// Z, +hh:mm, +hhmm, +hh or nothing.
bool is_zone(const std::string& text) {
  if (text.empty() || text == "Z" || text == "z") return true;
  if (text[0] != '+' && text[0] != '-') return false;
  const std::string offset = text.substr(1);
  if (!has_shape(offset, "99") && !has_shape(offset, "9999") && !has_shape(offset, "99:99")) return false;
  return digits_at(offset, 0) <= 23 && (offset.size() == 2 || digits_at(offset, offset.size() - 2) <= 59);
}

bool is_timestamp(const std::string& value) {
  if (value.size() < 10 || !is_date(value.substr(0, 10))) return false;
  if (value.size() == 10) return true;
  if (value.size() < 16 || !has_shape(value.substr(10, 6), "T99:99")) return false;
  if (digits_at(value, 11) > 23 || digits_at(value, 14) > 59) return false;
  std::string rest = value.substr(16);
  if (rest.size() >= 3 && has_shape(rest.substr(0, 3), ":99")) {
    if (digits_at(rest, 1) > 60) return false;  // 60: a leap second
    rest = rest.substr(3);
    if (!rest.empty() && (rest[0] == '.' || rest[0] == ',')) {
      std::size_t digits = 0;
      while (1 + digits < rest.size() && is_digit(rest[1 + digits])) ++digits;
      if (digits < 1 || digits > 9) return false;
      rest = rest.substr(1 + digits);
    }
  }
  return is_zone(rest);
}

std::string strip(const std::string& text, std::string_view blanks) {
  std::size_t begin = 0;
  std::size_t end = text.size();
  while (begin < end && blanks.find(text[begin]) != std::string_view::npos) ++begin;
  while (end > begin && blanks.find(text[end - 1]) != std::string_view::npos) --end;
  return text.substr(begin, end - begin);
}

// The value of a field in a non-text column; absent if it is missing.
std::optional<std::string> bare_value(const NaiveField& field,
                                      const std::vector<std::string>& missing_words) {
  if (!field.text) return std::nullopt;
  const std::string value = strip(*field.text, " \t");
  const bool word = std::find(missing_words.begin(), missing_words.end(), value) != missing_words.end();
  return value.empty() || word ? std::nullopt : std::optional(value);
}

Type joined(Type a, Type b) {
  if (a == b) return a;
  const bool numbers = a != Type::text && b != Type::text && a != Type::timestamp && b != Type::timestamp;
  return numbers ? Type::float64 : Type::text;
}

NaiveColumn typed_column(const std::string& name, const std::vector<NaiveField>& fields,
                         const std::vector<std::string>& missing_words) {
  std::optional<Type> type;
  for (const NaiveField& field : fields) {
    const auto value = bare_value(field, missing_words);
    if (!value) continue;
    type = type ? joined(*type, naive_type(*value)) : naive_type(*value);
  }
  NaiveColumn column{name, type.value_or(Type::text), {}};
  for (const NaiveField& field : fields) {
    const auto value = bare_value(field, missing_words);
    std::optional<NaiveValue> cell;
    if (!type) {
      cell = std::nullopt;
    } else if (*type == Type::text) {
      if (field.text) cell = *field.text;
    } else if (value) {
      if (*type == Type::int64) cell = static_cast<std::int64_t>(std::strtoll(value->c_str(), nullptr, 10));
      if (*type == Type::float64) cell = std::strtod(value->c_str(), nullptr);
      if (*type == Type::timestamp) cell = parse_timestamp(*value).value();
    }
    column.values.push_back(cell);
  }
  return column;
}

bool is_blank(const NaiveRow& row) { return row.size() == 1 && !row[0].text && !row[0].quoted; }

std::vector<std::string> names_in(const NaiveRow& row) {
  std::vector<std::string> names;
  for (const NaiveField& field : row) {
    const std::string name = strip(field.text.value_or(""), " \t\r\n");
    names.push_back(name.empty() ? "column_" + std::to_string(names.size() + 1) : name);
  }
  return names;
}

}  // namespace

NaiveRows naive_rows(std::string_view text, char separator) {
  enum class State { field_begins, unquoted, quoted, behind_quote };
  NaiveRows result;
  NaiveRow row;
  NaiveField field;
  std::string letters;
  State state = State::field_begins;
  std::size_t line = 1;
  const auto end_field = [&] {
    if (field.quoted || !letters.empty()) field.text = letters;
    row.push_back(field);
    letters.clear();
    field = NaiveField{std::nullopt, false, line};
    state = State::field_begins;
  };
  const auto fault = [&](const char* reason) {
    result.fault = NaiveError{field.line, reason};
    return result;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool last = i + 1 == text.size();
    if (c == '\n') ++line;
    if (state == State::quoted) {
      if (c != '"')
        letters += c;
      else if (!last && text[i + 1] == '"')
        letters += text[++i];
      else
        state = State::behind_quote;
      continue;
    }
    if (c == '\r' && (last || text[i + 1] == '\n')) continue;  // belongs to the line end
    if (c == separator) {
      end_field();
    } else if (c == '\n') {
      end_field();
      result.rows.push_back(row);
      row.clear();
    } else if (state == State::behind_quote) {
      return fault("text behind the closing quote");
    } else if (c == '"' && state == State::field_begins) {
      field.quoted = true;
      state = State::quoted;
    } else if (c == '"') {
      return fault("a quote inside a field that does not begin with one");
    } else {
      letters += c;
      state = State::unquoted;
    }
  }
  if (state == State::quoted) return fault("a quote that is never closed");
  if (!text.empty() && text.back() != '\n') {
    end_field();
    result.rows.push_back(row);
  }
  return result;
}

table::Type naive_type(const std::string& value) {
  if (is_int(value)) return Type::int64;
  if (is_float(value)) return Type::float64;
  if (is_timestamp(value)) return Type::timestamp;
  return Type::text;
}

std::variant<NaiveTable, NaiveError> naive_read_csv(std::string_view text, const table::CsvOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return NaiveError{std::nullopt, "is empty"};

  const NaiveRows parsed = naive_rows(text, options.separator);
  std::size_t next = 0;
  std::vector<std::string> names = options.names;
  if (names.empty()) {
    while (next < parsed.rows.size() && is_blank(parsed.rows[next])) ++next;
    if (next == parsed.rows.size()) return *parsed.fault;
    names = names_in(parsed.rows[next++]);
  }
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) {
    return NaiveError{std::nullopt, "same name"};
  }

  NaiveTable result;
  std::vector<std::vector<NaiveField>> columns(names.size());
  std::size_t rows = 0;
  for (; next < parsed.rows.size(); ++next) {
    const NaiveRow& row = parsed.rows[next];
    if (is_blank(row) && names.size() > 1) {
      ++result.blank_lines;
      continue;
    }
    if (row.size() != names.size() && options.ragged == table::RaggedRows::reject) {
      return NaiveError{row.back().line, "has " + std::to_string(row.size()) + " field"};
    }
    if (row.size() < names.size()) ++result.padded_rows;
    if (row.size() > names.size()) result.dropped_fields += row.size() - names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      columns[i].push_back(i < row.size() ? row[i] : NaiveField{});
    }
    ++rows;
  }
  if (parsed.fault) return *parsed.fault;
  if (rows == 0 && options.rows_required) return NaiveError{std::nullopt, "no rows"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.columns.push_back(typed_column(names[i], columns[i], options.missing_words));
  }
  return result;
}

}  // namespace ergon::test
