#include "table/file_format.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"
#include "table/csv/read.h"
#include "table/csv/write.h"

namespace ergon::table {
namespace {

TEST(FileFormat, OtherFormatsAreNotWritten) {
  for (const char* const name :
       {"x.parquet", "x.Parquet", "x.json", "x.xlsx", "x.feather", "x.arrow", "x.tsv", "x.csv.gz", "x.csv.xz",
        "x.csv.zst", "x.csv.bz2", "x.zip", "runs.csv/x.json"})
    EXPECT_FALSE(check_table_output(name)) << name;
  EXPECT_EQ(
      check_table_output("a/x.parquet").error().message,
      "a/x.parquet: tables cannot be written in .parquet format, only as uncompressed CSV text (example: "
      "table.csv)");
}

TEST(FileFormat, NamesThatPromiseNoOtherFormatAreWritten) {
  for (const char* const name : {"x.csv", "x.CSV", "x.txt", "x", "/dev/stdout", "runs.2024/x", "runs.json/x",
                                 ".hidden", "decisions.log", "results.2026-11-18", "x.v1", "x.dat", "x.gpu0"})
    EXPECT_TRUE(check_table_output(name)) << name;
}

TEST(FileFormat, OtherFormatsAreNotRead) {
  for (const char* const name : {"x.csv", "x.csv.gz", "x.tsv.zst", "x.log", "gpu-0.dat", "x", "-", "x.2024"})
    EXPECT_TRUE(check_table_input(name)) << name;
  for (const char* const name : {"x.parquet", "x.Parquet", "x.json", "x.json.gz", "x.xlsx", "x.feather"})
    EXPECT_FALSE(check_table_input(name)) << name;
  EXPECT_EQ(check_table_input("x.json.gz").error().message,
            "x.json.gz: tables in .json format cannot be read; expected CSV text (.csv, .tsv, .txt or .log; "
            "plain, .gz, .xz or .zst)");
}

TEST(FileFormat, IsCheckedByReadersAndWriters) {
  const test::TemporaryFolder folder;
  const auto parquet = folder.path() / "x.parquet";
  ASSERT_TRUE(write_file(parquet, "a\n1\n"));
  const auto read = read_csv(parquet);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, Errc::invalid_input);
  const auto table = parse_csv("a\n1\n", "text");
  ASSERT_TRUE(table);
  EXPECT_TRUE(write_csv(table->table, folder.path() / "y.2026-11-18"));
  EXPECT_FALSE(write_csv(table->table, folder.path() / "y.parquet"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "y.parquet"));
}

}  // namespace
}  // namespace ergon::table
