#include "service/message.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::service {
namespace {

TEST(Message, FindsHeadersByLowerCaseName) {
  Request request;
  request.headers = {{"host", "localhost"}, {"accept", ""}, {"host", "second"}};
  EXPECT_EQ(request.header("host"), "localhost");
  EXPECT_EQ(request.header("accept"), "");
  EXPECT_EQ(request.header("origin"), "");
  EXPECT_EQ(request.header(""), "");
}

TEST(Message, ErrorsAreValidJson) {
  for (const std::string words : {"plain", "quoted \" and \\", "line\nbreak", "\xff\xfe no UTF-8", ""}) {
    const Response response = error_response(418, "invalid_input", words);
    EXPECT_EQ(response.status, 418);
    EXPECT_EQ(response.type, "application/json");
    const auto json = nlohmann::json::parse(response.body, nullptr, false);
    ASSERT_TRUE(json.is_object()) << response.body;
    EXPECT_EQ(json["error"]["kind"], "invalid_input");
    EXPECT_TRUE(json["error"]["message"].is_string());
  }
  const auto json = nlohmann::json::parse(error_response(400, "io", "a \"b\"\n").body);
  EXPECT_EQ(json["error"]["message"], "a \"b\"\n");
}

TEST(Message, ErrorsHaveTheStatusOfTheirKind) {
  EXPECT_EQ(error_response(fail(Errc::invalid_input, "x")).status, 400);
  EXPECT_EQ(error_response(fail(Errc::permission, "x")).status, 403);
  EXPECT_EQ(error_response(fail(Errc::not_found, "x")).status, 404);
  EXPECT_EQ(error_response(fail(Errc::busy, "x")).status, 409);
  EXPECT_EQ(error_response(fail(Errc::io, "x")).status, 500);
  EXPECT_EQ(error_response(fail(Errc::cancelled, "x")).status, 503);
  const auto json = nlohmann::json::parse(error_response(fail(Errc::busy, "later")).body);
  EXPECT_EQ(json["error"]["kind"], "busy");
  EXPECT_EQ(json["error"]["message"], "later");
}

}  // namespace
}  // namespace ergon::service
