#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "table/csv/write.h"

namespace ergon::table {
namespace {

template <typename T>
using Optionals = std::vector<std::optional<T>>;

std::string written(const Table& table) {
  std::string text;
  const auto done = write_csv(table, [&](std::string_view more) {
    text += more;
    return Result<>{};
  });
  EXPECT_TRUE(done);
  return text;
}

std::string written(Column column) {
  Table table;
  table.add("a", std::move(column));
  return written(table);
}

Table numbered_rows(std::size_t rows) {
  Values<std::int64_t> values;
  for (std::size_t row = 0; row < rows; ++row) values.push_back(static_cast<std::int64_t>(row));
  Table table;
  table.add("n", Column(std::move(values)));
  return table;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator begin(folder);
  return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

TEST(CsvWrite, AHeaderAndALineForEveryRow) {
  Table table;
  table.add("n", Column::of(Optionals<std::int64_t>{1, -2}));
  table.add("who", Column::of(Optionals<std::string>{"a", "b"}));
  EXPECT_EQ(written(table), "n,who\n1,a\n-2,b\n");
}

TEST(CsvWrite, ATableWithoutRowsIsItsHeader) { EXPECT_EQ(written(numbered_rows(0)), "n\n"); }

TEST(CsvWrite, TextIsQuotedWhereItMustBe) {
  EXPECT_EQ(
      written(Column::of(Optionals<std::string>{"a,b", "say \"hi\"", "two\nlines", "cr\r", "plain text"})),
      "a\n\"a,b\"\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\"cr\r\"\nplain text\n");
}

TEST(CsvWrite, BlanksAtTheEdgesAreQuoted) {
  EXPECT_EQ(written(Column::of(Optionals<std::string>{" a", "a ", "\ta", "a\t", " "})),
            "a\n\" a\"\n\"a \"\n\"\ta\"\n\"a\t\"\n\" \"\n");
}

TEST(CsvWrite, NamesAreQuotedToo) {
  Table table;
  table.add("a,b", Column::of(Optionals<std::int64_t>{1}));
  table.add("c\"d", Column::of(Optionals<std::int64_t>{2}));
  EXPECT_EQ(written(table), "\"a,b\",\"c\"\"d\"\n1,2\n");
}

TEST(CsvWrite, TheEmptyTextIsNotAMissingOne) {
  Table table;
  table.add("a", Column::of(Optionals<std::string>{"", std::nullopt}));
  table.add("b", Column::of(Optionals<std::int64_t>{std::nullopt, 1}));
  EXPECT_EQ(written(table), "a,b\n\"\",\n,1\n");
}

TEST(CsvWrite, NumbersAreTheShortestTextsThatReadBack) {
  EXPECT_EQ(written(Column::of(Optionals<double>{0.1, 1.0, -0.0, 1e300, 0.1 + 0.2, 5e-324, 100000.0})),
            "a\n0.1\n1\n-0\n1e+300\n0.30000000000000004\n5e-324\n100000\n");
  EXPECT_EQ(written(Column::of(Optionals<std::int64_t>{INT64_MIN, INT64_MAX})),
            "a\n-9223372036854775808\n9223372036854775807\n");
}

TEST(CsvWrite, TimesAreIso8601InUtc) {
  EXPECT_EQ(written(Column::of(
                Optionals<Timestamp>{Timestamp{0}, Timestamp{1'541'662'891'055'000'000}, Timestamp{-1}})),
            "a\n1970-01-01T00:00:00Z\n2018-11-08T07:41:31.055Z\n1969-12-31T23:59:59.999999999Z\n");
}

TEST(CsvWrite, ALargeTableComesInPiecesAndWhole) {
  std::string text;
  int pieces = 0;
  const auto done = write_csv(numbered_rows(100'000), [&](std::string_view more) {
    ++pieces;
    text += more;
    return Result<>{};
  });
  ASSERT_TRUE(done);
  EXPECT_GT(pieces, 1);
  std::string expected = "n\n";
  for (int row = 0; row < 100'000; ++row) expected += std::to_string(row) + "\n";
  EXPECT_TRUE(text == expected);
}

TEST(CsvWrite, AnErrorOfTheSinkEndsTheWriting) {
  int calls = 0;
  const auto done = write_csv(numbered_rows(200'000), [&](std::string_view) -> Result<> {
    ++calls;
    return fail(Errc::io, "full");
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "full");
  EXPECT_EQ(calls, 1);
}

TEST(CsvWrite, IntoAFileAndOverAnOlderOne) {
  const test::TemporaryFolder folder;
  const auto file = folder / "t.csv";
  ASSERT_TRUE(write_csv(numbered_rows(2), file));
  EXPECT_EQ(content(file), "n\n0\n1\n");
  ASSERT_TRUE(write_csv(numbered_rows(1), file));
  EXPECT_EQ(content(file), "n\n0\n");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(CsvWrite, AFolderThatIsNotThereIsNamed) {
  const test::TemporaryFolder folder;
  const auto done = write_csv(numbered_rows(1), folder.path() / "absent" / "t.csv");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, Errc::not_found);
  EXPECT_NE(done.error().message.find("absent/t.csv"), std::string::npos) << done.error().message;
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(CsvWrite, AFolderIsNotOverwritten) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "t.csv");
  const auto done = write_csv(numbered_rows(1), folder / "t.csv");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, Errc::invalid_input);
  EXPECT_NE(done.error().message.find("t.csv"), std::string::npos) << done.error().message;
  EXPECT_EQ(files_in(folder.path()), 1u);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "t.csv"));
}

// Lets no file grow beyond a size while it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &old_limit_);
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, old_limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int) = SIG_DFL;
};

TEST(CsvWrite, AFailureInTheMiddleLeavesTheOldFileAndNothingElse) {
  const test::TemporaryFolder folder;
  const auto file = folder / "t.csv";
  ASSERT_TRUE(write_csv(numbered_rows(2), file));
  {
    const FileSizeLimit limit(300'000);
    const auto done = write_csv(numbered_rows(200'000), file);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, Errc::io);
    EXPECT_NE(done.error().message.find("t.csv"), std::string::npos) << done.error().message;
  }
  EXPECT_EQ(content(file), "n\n0\n1\n");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

}  // namespace
}  // namespace ergon::table
