#include <fstream>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "table/csv/read.h"

namespace ergon::table {
namespace {

using namespace std::string_literals;

Table read(std::string_view text, const CsvOptions& options = {}) {
  auto result = parse_csv(text, "some.csv", options);
  if (result) return std::move(result->table);
  ADD_FAILURE() << result.error().message;
  return {};
}

Error failure(std::string_view text, const CsvOptions& options = {}) {
  const auto result = parse_csv(text, "some.csv", options);
  if (!result) return result.error();
  ADD_FAILURE() << "was read without an error";
  return {Errc::io, ""};
}

const Column& column(const Table& table, std::string_view name) {
  const auto found = table.column(name);
  if (!found) throw std::runtime_error(found.error().message);
  return **found;
}

Type type_of(std::string_view values_of_one_column) {
  return read("a,b\n"s + std::string(values_of_one_column)).columns()[0].type();
}

std::vector<std::string> cells(const Column& column) {
  std::vector<std::string> result;
  for (std::size_t row = 0; row < column.size(); ++row) {
    result.push_back(column.missing(row) ? "(missing)" : column.cell(row));
  }
  return result;
}

using Cells = std::vector<std::string>;

void expect_mentions(const Error& error, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(error.message.find(part), std::string::npos) << error.message << "\ndoes not say: " << part;
  }
  EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
}

TEST(CsvRead, InfersATypeForEveryColumn) {
  const Table table = read("n,x,when,who\n1,1.5,2018-11-08,a\n-2,3,2018-11-08T07:41:31.055Z,b\n");
  EXPECT_EQ(column(table, "n").type(), Type::int64);
  EXPECT_EQ(column(table, "x").type(), Type::float64);
  EXPECT_EQ(column(table, "when").type(), Type::timestamp);
  EXPECT_EQ(column(table, "who").type(), Type::text);
  EXPECT_EQ(cells(column(table, "n")), (Cells{"1", "-2"}));
  EXPECT_EQ(cells(column(table, "x")), (Cells{"1.5", "3"}));
  EXPECT_EQ(cells(column(table, "when")), (Cells{"2018-11-08T00:00:00Z", "2018-11-08T07:41:31.055Z"}));
  EXPECT_EQ(cells(column(table, "who")), (Cells{"a", "b"}));
}

TEST(CsvRead, QuotedFieldsHoldAnything) {
  const Table table = read("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\r\nlines\",\"\"\"\"\n");
  EXPECT_EQ(cells(column(table, "a")), (Cells{"x,y", "two\r\nlines"}));
  EXPECT_EQ(cells(column(table, "b")), (Cells{"say \"hi\"", "\""}));
}

TEST(CsvRead, AnEmptyFieldIsMissingAndEmptyQuotesAreTheEmptyText) {
  const Table table = read("a,b\n,1\n\"\",\"\"\nx,2\n");
  EXPECT_EQ(cells(column(table, "a")), (Cells{"(missing)", "", "x"}));
  EXPECT_EQ(cells(column(table, "b")), (Cells{"1", "(missing)", "2"}));
}

TEST(CsvRead, MissingWordsAreMissingInNumbersAndTextInText) {
  const Table table = read("n,t\nNA,NA\n [N/A] ,null\n3,x\n");
  EXPECT_EQ(cells(column(table, "n")), (Cells{"(missing)", "(missing)", "3"}));
  EXPECT_EQ(cells(column(table, "t")), (Cells{"NA", "null", "x"}));
}

TEST(CsvRead, AMissingWordMayLookLikeANumber) {
  CsvOptions options;
  options.missing_words = {"-999"};
  const Table table = read("n,t\n1,-999\n-999,x\n", options);
  EXPECT_EQ(cells(column(table, "n")), (Cells{"1", "(missing)"}));
  EXPECT_EQ(cells(column(table, "t")), (Cells{"-999", "x"}));
}

TEST(CsvRead, AColumnWithoutValuesIsTextWithEverythingMissing) {
  const Table table = read("a,b\n,1\nNA,2\n\"\",3\n");
  EXPECT_EQ(column(table, "a").type(), Type::text);
  EXPECT_EQ(column(table, "a").missing_rows().count(), 3u);
}

TEST(CsvRead, BlanksAroundNumbersAreLayoutAndAroundTextAreText) {
  const Table table = read("n,t\n 1 , 1 \n\t2,x\n");
  EXPECT_EQ(cells(column(table, "n")), (Cells{"1", "2"}));
  EXPECT_EQ(cells(column(table, "t")), (Cells{" 1 ", "x"}));
}

TEST(CsvRead, LeadingZerosMakeText) {
  EXPECT_EQ(type_of("007,\n"), Type::text);
  EXPECT_EQ(type_of("-01,\n"), Type::text);
  EXPECT_EQ(type_of("0,\n"), Type::int64);
  EXPECT_EQ(type_of("-0,\n"), Type::int64);
  EXPECT_EQ(type_of("0.5,\n"), Type::float64);
  EXPECT_EQ(type_of("1.5,\n007,\n"), Type::text);
}

TEST(CsvRead, WholeNumbersBeyond64BitsAreText) {
  EXPECT_EQ(type_of("9223372036854775807,\n-9223372036854775808,\n"), Type::int64);
  EXPECT_EQ(type_of("9223372036854775808,\n"), Type::text);
  EXPECT_EQ(type_of("-9223372036854775809,\n"), Type::text);
  EXPECT_EQ(type_of("1.5,\n9223372036854775808,\n"), Type::text);
  EXPECT_EQ(type_of("9223372036854775808.0,\n"), Type::float64);
  EXPECT_EQ(cells(read("a,b\n9223372036854775807,\n").columns()[0]), (Cells{"9223372036854775807"}));
}

TEST(CsvRead, WhatIsNotQuiteANumberIsText) {
  for (const char* value : {"inf", "nan1", "0x10", "1e", "1e999", "--1", "+-1", "1 2", ".", "-"}) {
    EXPECT_EQ(type_of(value + ",\n"s), Type::text) << value;
  }
}

TEST(CsvRead, TimesAndNumbersTogetherAreText) {
  EXPECT_EQ(type_of("2018-11-08,\n2018,\n"), Type::text);
  EXPECT_EQ(type_of("2018-02-30,\n"), Type::text);
  EXPECT_EQ(type_of("2018-11-08 07:41,\n2018-11-08T07:41:31+01:00,\n"), Type::timestamp);
}

TEST(CsvRead, TimeZonesAreApplied) {
  const Table table = read("t,x\n2018-11-08T01:00:00+01:00,\n2018-11-07T22:30:00-0130,\n");
  EXPECT_EQ(cells(column(table, "t")), (Cells{"2018-11-08T00:00:00Z", "2018-11-08T00:00:00Z"}));
}

TEST(CsvRead, LineEndsMayBeMixedAndTheLastMayBeAbsent) {
  const Table table = read("a,b\r\n1,2\n3,4\r\n5,6");
  EXPECT_EQ(cells(column(table, "a")), (Cells{"1", "3", "5"}));
  EXPECT_EQ(cells(column(table, "b")), (Cells{"2", "4", "6"}));
  EXPECT_EQ(cells(column(read("a,b\n1,2\r"), "b")), (Cells{"2"}));
}

TEST(CsvRead, BlankLinesAreSkippedAndCounted) {
  const auto result = parse_csv("a,b\n\n1,2\n\r\n3,4\n\n", "some.csv");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->table.rows(), 2u);
  EXPECT_EQ(result->notes.blank_lines, 3u);
}

TEST(CsvRead, BlankLinesOfAOneColumnTableAreMissingValues) {
  const auto result = parse_csv("a\n\n1\n\r\n", "some.csv");
  ASSERT_TRUE(result);
  EXPECT_EQ(cells(result->table.columns()[0]), (Cells{"(missing)", "1", "(missing)"}));
  EXPECT_EQ(result->notes.blank_lines, 0u);
}

TEST(CsvRead, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a,b\n1,2\n")
                .names()[0],
            "a");
  CsvOptions options;
  options.names = {"p", "q"};
  EXPECT_EQ(cells(column(read("\xef\xbb\xbf"
                              "1,2\n",
                              options),
                         "p")),
            (Cells{"1"}));
}

TEST(CsvRead, HeaderNamesAreTrimmedAndEmptyOnesNumbered) {
  const Table table = read("\n\r\n a ,,\" \",\"x\ny\"\n1,2,3,4\n");
  EXPECT_EQ(std::vector(table.names().begin(), table.names().end()),
            (Cells{"a", "column_2", "column_3", "x\ny"}));
}

TEST(CsvRead, NamesReplaceAHeaderThatIsNotThere) {
  CsvOptions options;
  options.names = {"p", "q"};
  const Table table = read("1,x\n2,y\n", options);
  EXPECT_EQ(cells(column(table, "p")), (Cells{"1", "2"}));
  EXPECT_EQ(cells(column(table, "q")), (Cells{"x", "y"}));
}

TEST(CsvRead, SeparatorsOtherThanTheComma) {
  for (const char separator : {';', '\t', '|'}) {
    CsvOptions options;
    options.separator = separator;
    const std::string s(1, separator);
    const Table table = read("a" + s + "b\n1,5" + s + "\"x" + s + "y\"\n", options);
    EXPECT_EQ(cells(column(table, "a")), (Cells{"1,5"}));
    EXPECT_EQ(cells(column(table, "b")), (Cells{"x" + s + "y"}));
  }
}

TEST(CsvRead, OnlyTheColumnsAskedForInTheOrderAskedFor) {
  CsvOptions options;
  options.columns = {"c", "a"};
  const Table table = read("a,b,c\n1,x,2.5\n3,y,4\n", options);
  EXPECT_EQ(std::vector(table.names().begin(), table.names().end()), (Cells{"c", "a"}));
  EXPECT_EQ(cells(column(table, "c")), (Cells{"2.5", "4"}));
  EXPECT_EQ(cells(column(table, "a")), (Cells{"1", "3"}));
}

TEST(CsvRead, ColumnsNotAskedForAreStillCheckedForQuotes) {
  CsvOptions options;
  options.columns = {"a"};
  expect_mentions(failure("a,b\n1,x\"y\n", options), {"some.csv", "line 2", "column 2", "(b)"});
}

TEST(CsvRead, GivenTypesAreObeyed) {
  CsvOptions options;
  options.types = {{"i", Type::int64}, {"f", Type::float64}, {"t", Type::text}, {"w", Type::timestamp}};
  const Table table = read("i,f,t,w\n007,1,1,2018-11-08\nNA,,NA,\n", options);
  EXPECT_EQ(column(table, "f").type(), Type::float64);
  EXPECT_EQ(cells(column(table, "i")), (Cells{"7", "(missing)"}));
  EXPECT_EQ(cells(column(table, "t")), (Cells{"1", "NA"}));
  EXPECT_EQ(cells(column(table, "w")), (Cells{"2018-11-08T00:00:00Z", "(missing)"}));
}

TEST(CsvRead, AValueThatDoesNotFitItsGivenTypeIsNamed) {
  CsvOptions options;
  options.types = {{"power", Type::float64}};
  const Error error = failure("time,power\n1,2\n\n3,abc\n", options);
  EXPECT_EQ(error.kind, Errc::invalid_input);
  expect_mentions(error, {"some.csv", "line 4", "column 2", "(power)", "\"abc\"", "number"});
  options.types = {{"power", Type::int64}};
  expect_mentions(failure("time,power\n1,1.5\n", options), {"line 2", "\"1.5\"", "whole number"});
  options.types = {{"power", Type::timestamp}};
  expect_mentions(failure("time,power\n1,yesterday\n", options), {"line 2", "\"yesterday\"", "a time"});
}

TEST(CsvRead, ALongOrMultilineValueStaysOneShortLineInTheMessage) {
  CsvOptions options;
  options.types = {{"a", Type::int64}};
  const Error error = failure("a\n\"x\ny" + std::string(1000, 'z') + "\"\n", options);
  expect_mentions(error, {"line 2", "column 1", "..."});
  EXPECT_LT(error.message.size(), 200u);
}

TEST(CsvRead, RaggedRowsAreRejectedWithTheirLine) {
  const Error few = failure("a,b,c\n1,2,3\n4,5\n");
  EXPECT_EQ(few.kind, Errc::invalid_input);
  expect_mentions(few, {"some.csv", "line 3", "2 fields", "3"});
  expect_mentions(failure("a,b\n1,2,3\n"), {"line 2", "3 fields", "2"});
  expect_mentions(failure("a,b\n1\n"), {"line 2", "1 field,"});
}

TEST(CsvRead, RaggedRowsArePaddedIfAskedTo) {
  CsvOptions options;
  options.ragged = RaggedRows::pad;
  const auto result = parse_csv("a,b\n1\n2,x,y,z\n3,w\n", "some.csv", options);
  ASSERT_TRUE(result);
  EXPECT_EQ(cells(result->table.columns()[0]), (Cells{"1", "2", "3"}));
  EXPECT_EQ(cells(result->table.columns()[1]), (Cells{"(missing)", "x", "w"}));
  EXPECT_EQ(result->notes.padded_rows, 1u);
  EXPECT_EQ(result->notes.dropped_fields, 2u);
}

TEST(CsvRead, MisplacedQuotesAreNamed) {
  expect_mentions(failure("a,b\n1,2\n3,x\"y\n"), {"some.csv", "line 3", "column 2", "(b)", "quote"});
  expect_mentions(failure("a,b\n\"1\"2,3\n"), {"line 2", "column 1", "(a)", "behind the closing quote"});
  expect_mentions(failure("a,b\n\"x\ny\",\"never\nclosed\n"), {"line 3", "column 2", "never closed"});
}

TEST(CsvRead, MisplacedQuotesInTheHeaderAreNamedWithTheirLine) {
  expect_mentions(failure("a,b\"c\n1,2\n"), {"some.csv", "line 1", "column 2"});
  expect_mentions(failure("\n\r\na,b\"c\n1,2\n"), {"line 3", "column 2"});
  expect_mentions(failure("\"a\nb\",\"c\n"), {"line 2", "column 2"});
}

TEST(CsvRead, TheFirstErrorIsReportedForAnyNumberOfThreads) {
  std::string text = "a,b\n";
  for (int row = 0; row < 2000; ++row) text += row % 500 == 250 ? "1,2,3\n" : "1,2\n";
  CsvOptions options;
  options.piece_size = 100;
  for (options.threads = 1; options.threads <= 4; ++options.threads) {
    expect_mentions(failure(text, options), {"line 252:"});
  }
}

TEST(CsvRead, RepeatedNamesAreRejected) {
  const Error error = failure("a,b, a\n1,2,3\n");
  EXPECT_EQ(error.kind, Errc::invalid_input);
  expect_mentions(error, {"some.csv", "columns 1 and 3", "\"a\""});
}

TEST(CsvRead, UnknownColumnsAreRejectedWithASuggestion) {
  CsvOptions options;
  options.columns = {"pover"};
  const Error error = failure("time,power\n1,2\n", options);
  EXPECT_EQ(error.kind, Errc::not_found);
  expect_mentions(error, {"some.csv", "\"pover\"", "\"power\""});
  options.columns = {};
  options.types = {{"tim", Type::int64}};
  expect_mentions(failure("time,power\n1,2\n", options), {"\"tim\"", "\"time\""});
  options.types = {};
  options.columns = {"time", "time"};
  expect_mentions(failure("time,power\n1,2\n", options), {"\"time\"", "twice"});
}

TEST(CsvRead, WhatIsNotTextIsRejected) {
  expect_mentions(failure("\xff\xfe"
                          "a\0,\0"s),
                  {"some.csv", "UTF-16"});
  expect_mentions(failure("\xfe\xff"
                          "\0a\0,"s),
                  {"some.csv", "UTF-16"});
  expect_mentions(failure("a,b\n1,\0\n"s), {"some.csv", "zero byte", "6"});
}

TEST(CsvRead, AnEmptyFileIsRejected) {
  for (const char* text : {"", "\n", " \r\n\t\n", "\xef\xbb\xbf", "\xef\xbb\xbf\n"}) {
    const Error error = failure(text);
    EXPECT_EQ(error.kind, Errc::invalid_input);
    expect_mentions(error, {"some.csv", "is empty"});
  }
}

TEST(CsvRead, AHeaderAloneIsATableOnlyIfRowsAreNotRequired) {
  for (const char* text : {"a,b", "a,b\n", "a,b\r\n", "a,b\n\n\n"}) {
    expect_mentions(failure(text), {"some.csv", "no rows"});
    CsvOptions options;
    options.rows_required = false;
    const Table table = read(text, options);
    EXPECT_EQ(table.rows(), 0u);
    EXPECT_EQ(table.names().size(), 2u);
  }
}

TEST(CsvRead, AColumnWidensWhenALateValueDoesNotFit) {
  std::string numbers = "n,x\n";
  for (int row = 1; row < 100'000; ++row) numbers += std::to_string(row) + ",\n";
  const Table mixed = read(numbers + "x,\n");
  ASSERT_EQ(mixed.rows(), 100'000u);
  EXPECT_EQ(column(mixed, "n").type(), Type::text);
  EXPECT_EQ(column(mixed, "n").text_at(0), "1");
  EXPECT_EQ(column(mixed, "n").text_at(99'999), "x");
  const Table fractional = read(numbers + "1.5,\n");
  EXPECT_EQ(column(fractional, "n").type(), Type::float64);
  EXPECT_EQ(column(fractional, "n").float64s()[41], 42.0);
  EXPECT_EQ(column(fractional, "n").float64s()[99'999], 1.5);
}

TEST(CsvRead, AColumnThatWidensTwiceKeepsItsFirstWriting) {
  std::string text = "n,x\n";
  for (int row = 0; row < 30'000; ++row) text += " 1 ,\n";
  for (int row = 0; row < 30'000; ++row) text += "1.50,\n";
  const Table table = read(text + "x,\n");
  EXPECT_EQ(column(table, "n").type(), Type::text);
  EXPECT_EQ(column(table, "n").text_at(0), " 1 ");
  EXPECT_EQ(column(table, "n").text_at(30'000), "1.50");
}

TEST(CsvRead, AColumnThatBeginsWithMissingValuesIsTyped) {
  std::string text = "a,b\n";
  while (text.size() < 70'000) text += ",NA\n";
  const Table table = read(text + "7,2018-11-08\n");
  EXPECT_EQ(column(table, "a").type(), Type::int64);
  EXPECT_EQ(column(table, "b").type(), Type::timestamp);
  EXPECT_EQ(column(table, "a").missing_rows().count(), table.rows() - 1);
  EXPECT_EQ(column(table, "a").int64s()[table.rows() - 1], 7);
}

TEST(CsvRead, AQuotedFieldMaySpanManyPieces) {
  const std::string inside = std::string(5000, ',') + "\"\"\n\r\n" + std::string(5000, '\n');
  CsvOptions options;
  options.piece_size = 64;
  options.threads = 3;
  const Table table = read("a,b\n1,2\n\"" + inside + "\",3\nx,4\n", options);
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(column(table, "a").text_at(1).size(), inside.size() - 1);
  EXPECT_EQ(cells(column(table, "b")), (Cells{"2", "3", "4"}));
}

TEST(CsvRead, LinesInsideQuotesCountWhenALaterLineIsNamed) {
  expect_mentions(failure("a,b\n\"1\n2\n3\",x\n1\n"), {"line 5:"});
}

TEST(CsvRead, StopsWhenAskedTo) {
  std::stop_source source;
  source.request_stop();
  CsvOptions options;
  options.stop = source.get_token();
  EXPECT_EQ(failure("a,b\n1,2\n", options).kind, Errc::cancelled);
}

TEST(CsvRead, NotesTheSizeOfTheText) {
  const auto result = parse_csv("a,b\n1,2\n", "some.csv");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->notes.text_bytes, 8u);
}

TEST(CsvRead, ReadsAFile) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "t.csv") << "a,b\n1,x\n";
  const auto result = read_csv(folder / "t.csv");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->table.columns()[0].int64s()[0], 1);
}

TEST(CsvRead, ReadsAFileOfManyPagesInManyPieces) {
  const test::TemporaryFolder folder;
  {
    std::ofstream file(folder / "t.csv");
    file << "a,b\n";
    for (int row = 0; row < 20'000; ++row) file << row << ",value " << row % 100 << "\n";
    file << "x,\n";  // makes the reader go over it again
  }
  CsvOptions options;
  options.piece_size = 5000;
  options.threads = 3;
  const auto result = read_csv(folder / "t.csv", options);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->table.rows(), 20'001u);
  for (std::size_t row = 0; row < 20'000; row += 777) {
    EXPECT_EQ(result->table.columns()[0].text_at(row), std::to_string(row));
    EXPECT_EQ(result->table.columns()[1].text_at(row), "value " + std::to_string(row % 100));
  }
}

TEST(CsvRead, AFileErrorNamesTheFile) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "bad.csv") << "a,b\n1\n";
  const auto bad = read_csv(folder / "bad.csv");
  ASSERT_FALSE(bad);
  expect_mentions(bad.error(), {(folder / "bad.csv").string(), "line 2"});
}

TEST(CsvRead, AFileThatIsNotThere) {
  const test::TemporaryFolder folder;
  const auto absent = read_csv(folder / "absent.csv");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, Errc::not_found);
  expect_mentions(absent.error(), {"absent.csv", "no such file"});
}

TEST(CsvRead, AFolderIsNotAFile) {
  const test::TemporaryFolder folder;
  const auto result = read_csv(folder.path());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, Errc::invalid_input);
  expect_mentions(result.error(), {folder.path().string(), "directory"});
}

TEST(ParseSeparator, TakesOneCharacterOrTab) {
  EXPECT_EQ(*parse_separator(";"), ';');
  EXPECT_EQ(*parse_separator("tab"), '\t');
  for (const char* text : {"", ",,", "\"", "\n", "\r"}) EXPECT_FALSE(parse_separator(text)) << text;
}

}  // namespace
}  // namespace ergon::table
