#include <bit>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"
#include "support/naive_csv.h"
#include "table/csv/read.h"

namespace ergon::table {
namespace {

using test::NaiveColumn;
using test::NaiveError;
using test::NaiveTable;
using test::NaiveValue;

std::optional<NaiveValue> value_at(const Column& column, std::size_t row) {
  if (column.missing(row)) return std::nullopt;
  switch (column.type()) {
    case Type::int64:
      return column.int64s()[row];
    case Type::float64:
      return column.float64s()[row];
    case Type::timestamp:
      return column.timestamps()[row];
    case Type::text:
      return std::string(column.text_at(row));
  }
  return std::nullopt;
}

std::string shown(const std::optional<NaiveValue>& value) {
  if (!value) return "missing";
  if (const auto* number = std::get_if<0>(&*value)) return "int " + std::to_string(*number);
  // The bits tell -0 from 0.
  if (const auto* number = std::get_if<1>(&*value)) {
    return "float " + std::to_string(std::bit_cast<std::uint64_t>(*number));
  }
  if (const auto* time = std::get_if<2>(&*value)) return "timestamp " + std::to_string(time->ns);
  return "text <" + std::get<3>(*value) + ">";
}

std::string described(const Column& column) {
  std::string text(name_of(column.type()));
  for (std::size_t row = 0; row < column.size(); ++row) text += "\n  " + shown(value_at(column, row));
  return text;
}

std::string described(const NaiveColumn& column) {
  std::string text(name_of(column.type));
  for (const auto& value : column.values) text += "\n  " + shown(value);
  return text;
}

std::string described(std::size_t blank, std::size_t padded, std::size_t dropped) {
  return fmt::format("{} blank, {} padded, {} dropped\n", blank, padded, dropped);
}

// The result of either reader as text, for comparison.
std::string described(const Result<CsvTable>& read) {
  if (!read) {
    const std::string_view message = read.error().message;
    constexpr std::string_view kBegin = "text: line ";
    const bool has_line = message.starts_with(kBegin);
    return "error in line " + (has_line ? std::to_string(std::atoi(message.data() + kBegin.size())) : "?");
  }
  std::string text = described(read->notes.blank_lines, read->notes.padded_rows, read->notes.dropped_fields);
  for (std::size_t i = 0; i < read->table.names().size(); ++i) {
    text += read->table.names()[i] + ": " + described(read->table.columns()[i]) + "\n";
  }
  return text;
}

std::string described(const std::variant<NaiveTable, NaiveError>& read) {
  if (const auto* error = std::get_if<NaiveError>(&read)) {
    return "error in line " + (error->line ? std::to_string(*error->line) : "?");
  }
  const NaiveTable& table = std::get<NaiveTable>(read);
  std::string text = described(table.blank_lines, table.padded_rows, table.dropped_fields);
  for (const NaiveColumn& column : table.columns) text += column.name + ": " + described(column) + "\n";
  return text;
}

// The order of the dictionary, which must not depend on the threads either.
std::string dictionaries(const Result<CsvTable>& read) {
  if (!read) return read.error().message;
  std::string text;
  for (const Column& column : read->table.columns()) {
    if (column.type() != Type::text) continue;
    const Dictionary& dictionary = *column.text().dictionary;
    for (Code code = 0; code < dictionary.size(); ++code) text += std::string(dictionary.at(code)) + "|";
  }
  return text;
}

CsvOptions with_random_cut(CsvOptions options) {
  options.piece_size = *rc::gen::inRange<std::size_t>(1, 71);
  options.threads = *rc::gen::inRange<std::size_t>(1, 4);
  return options;
}

void expect_agreement(const std::string& text, const CsvOptions& options) {
  RC_LOG() << "text: " << rc::toString(text) << std::endl;
  const auto naive = test::naive_read_csv(text, options);
  const auto first = parse_csv(text, "text", with_random_cut(options));
  RC_ASSERT(described(first) == described(naive));
  if (const auto* error = std::get_if<NaiveError>(&naive)) {
    RC_ASSERT(first.error().message.find(error->reason) != std::string::npos);
    RC_ASSERT(first.error().kind == Errc::invalid_input);
  } else {
    RC_ASSERT(first->notes.text_bytes == text.size());
  }
  const auto second = parse_csv(text, "text", with_random_cut(options));
  const auto whole = parse_csv(text, "text", options);
  RC_ASSERT(described(second) == described(first));
  RC_ASSERT(described(whole) == described(first));
  RC_ASSERT(dictionaries(second) == dictionaries(first));
  RC_ASSERT(dictionaries(whole) == dictionaries(first));
}

CsvOptions random_options() {
  CsvOptions options;
  options.ragged = *rc::gen::element(RaggedRows::reject, RaggedRows::pad);
  options.rows_required = *rc::gen::arbitrary<bool>();
  if (*rc::gen::inRange(0, 6) == 0) options.missing_words = {"-1", "x"};
  if (*rc::gen::inRange(0, 6) == 0) options.names = {"first", "second"};
  return options;
}

using Fields = std::vector<std::string>;

const std::vector<Fields>& pools() {
  static const std::vector<Fields> pools = {
      {"1", "-7", " 42 ", "+3", "0", "-0", "9223372036854775807", "-9223372036854775808", "\"5\"",
       "\" 6\t\""},
      {"1.5", "1e5", ".5", "2.", "-1E-3", " 0.1 ", "0.30000000000000004", "-0.0", "\"7.25\"",
       "12345678901234567890.0", "5e-324", "3e-324", "1.7976931348623157e308", "0e-999", "0.0e999"},
      {"2018-11-08", "2018-11-08T07:41:31.055Z", "2018-11-08 07:41", "1999-12-31T23:59:59,5+01:00",
       " 2018-11-08 ", "2016-02-29T00:00:00.123456789-0130", "\"2018-11-08T07:41:31+02\""},
      {"x", "hello world", "\"a,b\"", "\"say \"\"hi\"\"\"", "\"two\nlines\"", "\"cr\rhere\"",
       "\"crlf\r\nhere\"", "\"\"\"\"", "\"\n\"", "\xc3\xa9t\xc3\xa9", "\"\xe6\x97\xa5\xe6\x9c\xac\"",
       " padded ", "a\rb", "-"},
      {"", "\"\"", "NA", "null", " NaN ", "[N/A]", "[Not Supported]", " ", "\"NA\"", "\" \""},
      {"007",
       "00",
       "-01",
       "9223372036854775808",
       "-9223372036854775809",
       "99999999999999999999",
       "1e999",
       "1e-400",
       "2e-324",
       "01.5",
       "2018-02-30",
       "2018-13-01",
       "2018-11-08T24:00",
       "2018-11-08T07",
       "2018-11-08T07:41:31.",
       "2018-11-08T07:41+1",
       "2018-11-08T07:41:61Z",
       "2018-11-08T07:41:31.1234567890",
       "2100-02-29",
       "1677-12-31",
       "inf",
       "nan",
       "0x10",
       "1 2",
       "1,5",
       "--1",
       "+-1",
       "1e",
       ".",
       "+"},
      {"007", "12", "00", "-01", "0", "5"},
      {"1", "9223372036854775808", "1.5", "-9223372036854775809", "7"},
  };
  return pools;
}

std::string rendered_cell(std::string field, const CsvOptions& options) {
  // The pools hold one field that only quotes keep together.
  const bool bare = !field.starts_with('"') && field.find(options.separator) != std::string::npos;
  return bare ? "\"" + field + "\"" : field;
}

// Columns are mostly of one type, with missing values, and sometimes with a value of another type.
std::string random_table_text(const CsvOptions& options) {
  const auto columns = options.names.empty() ? *rc::gen::inRange<std::size_t>(1, 5) : options.names.size();
  const auto rows = *rc::gen::inRange<std::size_t>(0, 40);
  std::vector<std::size_t> kinds;
  std::vector<bool> strangers;
  for (std::size_t i = 0; i < columns; ++i) {
    kinds.push_back(*rc::gen::inRange<std::size_t>(0, pools().size()));
    strangers.push_back(*rc::gen::inRange(0, 3) == 0);
  }
  const auto end_line = [] { return *rc::gen::element<std::string>("\n", "\n", "\r\n"); };
  std::string text = *rc::gen::element<std::string>("", "", "", "\xef\xbb\xbf");
  if (options.names.empty()) {
    const Fields names = {"a", "\"b,c\"", " d ", "", "\"e\"\"\"", "\"f\ng\"", "\xc3\xbc"};
    const auto first = *rc::gen::inRange<std::size_t>(0, names.size());
    for (std::size_t i = 0; i < columns; ++i) text += (i > 0 ? "," : "") + names[(first + i) % names.size()];
    text += end_line();
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (*rc::gen::inRange(0, 12) == 0) text += end_line();
    for (std::size_t i = 0; i < columns; ++i) {
      std::size_t kind = kinds[i];
      if (*rc::gen::inRange(0, 5) == 0) kind = 4;
      if (strangers[i] && *rc::gen::inRange(0, 8) == 0)
        kind = *rc::gen::inRange<std::size_t>(0, pools().size());
      text += (i > 0 ? "," : "") + rendered_cell(*rc::gen::elementOf(pools()[kind]), options);
    }
    if (row + 1 < rows || *rc::gen::inRange(0, 3) > 0) text += end_line();
  }
  return text;
}

rc::Gen<std::string> garbage() {
  return rc::gen::container<std::string>(
      rc::gen::element('a', ' ', '0', '1', '.', ',', '"', '\n', '\r', '-'));
}

RC_GTEST_PROP(CsvReadProperty, WellFormedTablesAgreeWithTheNaiveReader, ()) {
  const CsvOptions options = random_options();
  expect_agreement(random_table_text(options), options);
}

RC_GTEST_PROP(CsvReadProperty, TablesWithOneDamagedByteAgreeWithTheNaiveReader, ()) {
  const CsvOptions options = random_options();
  std::string text = random_table_text(options);
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  const auto length = *rc::gen::inRange<std::size_t>(0, 2);
  const auto put = *rc::gen::element<std::string>("", "\"", "\"\"", ",", "\n", "\r", "0", " ");
  text.replace(at, std::min(length, text.size() - at), put);
  expect_agreement(text, options);
}

RC_GTEST_PROP(CsvReadProperty, GarbageAgreesWithTheNaiveReader, ()) {
  const auto head = *rc::gen::element<std::string>("", "", "a\n", "a,b\n", "\"a\",b,c\r\n");
  expect_agreement(head + *garbage(), random_options());
}

RC_GTEST_PROP(CsvReadProperty, OtherSeparatorsAgreeWithTheNaiveReader, ()) {
  CsvOptions options = random_options();
  options.separator = *rc::gen::element(';', '\t', '|');
  std::string text = "p" + std::string(1, options.separator) + "q\n" + *garbage();
  for (char& c : text) {
    if (c == ',' && *rc::gen::inRange(0, 4) > 0) c = options.separator;
  }
  expect_agreement(text, options);
}

RC_GTEST_PROP(CsvReadProperty, SingleValuesAreTypedAsTheNaiveReaderTypesThem, ()) {
  const auto value = *rc::gen::nonEmpty(rc::gen::container<std::string>(
      rc::gen::element('0', '1', '9', '.', '-', '+', 'e', 'E', 'i', 'n', 'f', 'x')));
  expect_agreement("a,b\n" + value + ",\n", CsvOptions{});
}

}  // namespace
}  // namespace ergon::table
