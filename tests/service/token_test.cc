#include "service/token.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ergon::service
