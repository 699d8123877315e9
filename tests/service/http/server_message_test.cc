#include "service/http/server_message.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

TEST(ServerMessage, ReadsPrometheusErrors) {
  EXPECT_EQ(
      server_message(R"({"status":"error","errorType":"bad_data","error":"invalid parameter \"query\""})"),
      "bad_data: invalid parameter \"query\"");
  EXPECT_EQ(server_message(R"({"error":"no more\nthan this"})"), "no more");
  EXPECT_EQ(server_message(R"({"errorType":"timeout"})"), "timeout");
}

TEST(ServerMessage, FallsBackToTheFirstLine) {
  EXPECT_EQ(server_message("\n  Unauthorized \r\nmore"), "Unauthorized");
  EXPECT_EQ(server_message(""), "");
  EXPECT_EQ(server_message("a\x1b[31mb"), "a?[31mb");
  EXPECT_LE(server_message(std::string(10'000, 'x')).size(), 310u);
}

// Its values would take 25 times the memory of the text.
TEST(ServerMessage, DoesNotParseALargeBody) {
  EXPECT_EQ(server_message(R"({"error":"first","more":[)" + std::string(100'000, ' ') + "]}").substr(0, 10),
            R"({"error":")");
}

TEST(ServerMessage, IgnoresHtmlAndOtherTypes) {
  EXPECT_EQ(server_message("<html><body>404</body></html>"), "");
  EXPECT_EQ(server_message(R"({"error":7,"errorType":[]})"), "");
  EXPECT_EQ(server_message(R"({"error":"cut)"), R"({"error":"cut)");
}

TEST(Refusal, HasAKindAndTheStatus) {
  EXPECT_EQ(refusal(400, "").kind, Errc::invalid_input);
  EXPECT_EQ(refusal(401, "").kind, Errc::permission);
  EXPECT_EQ(refusal(404, "").kind, Errc::not_found);
  EXPECT_EQ(refusal(503, "").kind, Errc::io);
  EXPECT_EQ(refusal(503, "overloaded").message, "503 (unavailable): overloaded");
  EXPECT_EQ(refusal(302, "<a href=x>").message, "302 (redirected)");
}

}  // namespace
}  // namespace ergon::service
