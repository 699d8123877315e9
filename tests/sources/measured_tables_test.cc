#include "sources/measured_tables.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::sources {
namespace {

TEST(MeasuredTablesSource, ReadsTheGivenFolders) {
  const MeasuredTablesSource source{{ERGON_REPOSITORY "/data/reference"}};
  EXPECT_EQ(source.search_folders(), std::vector<std::filesystem::path>{ERGON_REPOSITORY "/data/reference"});
  const auto tables = source.load();
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_FALSE(tables->tables.empty());
  EXPECT_FALSE(tables->networks.empty());
}

TEST(MeasuredTablesSource, FailsForAMissingFolderAndForOneWithoutTables) {
  EXPECT_EQ((MeasuredTablesSource{{"nowhere"}}.load().error().message),
            "--tables: folder not found: nowhere");
  test::TemporaryFolder empty;
  const auto none = MeasuredTablesSource{{empty.path().string()}}.load();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, Errc::not_found);
  EXPECT_TRUE(none.error().message.starts_with("no measured tables in " + empty.path().string() + ";"))
      << none.error().message;
}

}  // namespace
}  // namespace ergon::sources
