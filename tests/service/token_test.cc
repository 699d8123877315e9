#include "service/token.h"

#include <filesystem>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

TEST(Token, FitsInAHeaderIfPrintableAscii) {
  EXPECT_TRUE(fits_in_header(""));
  EXPECT_TRUE(fits_in_header("abc.DEF-123~"));
  for (const char* token : {"a b", "a\nb", "a\x7f", "\xc3\xa9"}) EXPECT_FALSE(fits_in_header(token)) << token;
}

TEST(Token, IsOptionalOnLoopbackOnly) {
  EXPECT_TRUE(check_token("", "127.0.0.1"));
  EXPECT_TRUE(check_token("", "localhost"));
  EXPECT_EQ(check_token("", "0.0.0.0").error().kind, Errc::permission);
  EXPECT_TRUE(check_token("0123456789abcdef", "0.0.0.0"));
}

TEST(Token, IsRejectedIfShortOrUnprintable) {
  EXPECT_EQ(check_token("0123456789abcde", "127.0.0.1").error().kind, Errc::invalid_input);
  EXPECT_EQ(check_token("0123456789 abcdef", "127.0.0.1").error().kind, Errc::invalid_input);
}

TEST(Token, IsCreatedOnceAndPrivate) {
  const test::TemporaryFolder folder;
  const auto file = folder / "token";
  const auto first = stored_token(file), second = stored_token(file);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(first->size(), 48u);
  EXPECT_TRUE(check_token(*first, "0.0.0.0"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_NE(new_token(), new_token());
}

TEST(Token, OfAFileThatOthersCanReadIsRejected) {
  const test::TemporaryFolder folder;
  const auto file = folder / "token";
  ASSERT_TRUE(write_file(file, "0123456789abcdef\n"));
  std::filesystem::permissions(file, std::filesystem::perms::group_read, std::filesystem::perm_options::add);
  const auto shared = stored_token(file);
  ASSERT_FALSE(shared);
  EXPECT_EQ(shared.error().kind, Errc::permission);
  std::filesystem::create_symlink(file, folder / "link");
  EXPECT_EQ(stored_token(folder / "link").error().kind, Errc::permission);
  ASSERT_TRUE(write_file(folder / "short", "0123\n"));
  ::chmod((folder / "short").c_str(), 0600);
  EXPECT_EQ(stored_token(folder / "short").error().kind, Errc::invalid_input);
  EXPECT_FALSE(stored_token(folder / "no" / "folder"));
}

}  // namespace
}  // namespace ergon::service
