#include "service/http/target.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

TEST(Target, DecodesPathAndQuery) {
  const auto target = parse_target("/a%20b/%2e%2e%2Fc+d?x=1%262&y=a+b&empty=&flag&&x=0&%78=2");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/a b/../c+d");
  EXPECT_EQ(target->query,
            (Fields{{"empty", ""}, {"flag", ""}, {"x", "1&2"}, {"x", "0"}, {"x", "2"}, {"y", "a b"}}));
  EXPECT_EQ(parse_target("/")->query, Fields());
  EXPECT_EQ(parse_target("/?")->path, "/");
}

TEST(Target, RejectsOtherFormsAndIncompleteEscapes) {
  for (const char* text : {"", "*", "a", "http://host/", "host:80", "/%", "/%4", "/%4g", "/%zz", "/a%00b",
                           "/?x=%", "/?%0=1", "/?x=%00"}) {
    const auto target = parse_target(text);
    ASSERT_FALSE(target) << text;
    EXPECT_EQ(target.error().kind, Errc::invalid_input);
  }
  EXPECT_FALSE(parse_target(std::string_view("/a\0b", 4)));
}

}  // namespace
}  // namespace ergon::service
