#include "service/http/url.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

TEST(Url, ParsesCommonForms) {
  struct Case {
    const char* text;
    Url url;
    const char* again;
  };
  const Case cases[] = {
      {"http://localhost:9090", {false, "localhost", 9090, ""}, "http://localhost:9090"},
      {"localhost:9090", {false, "localhost", 9090, ""}, "http://localhost:9090"},
      {"prometheus", {false, "prometheus", 80, ""}, "http://prometheus"},
      {"HTTP://Node-1.example_net/", {false, "Node-1.example_net", 80, ""}, "http://Node-1.example_net"},
      {"https://metrics.example", {true, "metrics.example", 443, ""}, "https://metrics.example"},
      {"https://metrics.example:80/a/b//",
       {true, "metrics.example", 80, "/a/b"},
       "https://metrics.example:80/a/b"},
      {"10.0.0.1:9090/prometheus",
       {false, "10.0.0.1", 9090, "/prometheus"},
       "http://10.0.0.1:9090/prometheus"},
      {"http://[::1]:9090/x", {false, "::1", 9090, "/x"}, "http://[::1]:9090/x"},
      {"[fe80::1]", {false, "fe80::1", 80, ""}, "http://[fe80::1]"},
  };
  for (const Case& each : cases) {
    const auto url = parse_url(each.text);
    ASSERT_TRUE(url) << each.text << ": " << url.error().message;
    EXPECT_EQ(*url, each.url) << each.text;
    EXPECT_EQ(to_text(*url), each.again);
    EXPECT_EQ(*parse_url(each.again), *url);
  }
}

TEST(Url, RejectsUnsupportedParts) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "not a valid host"},
      {"http://", "not a valid host"},
      {"http://:9090", "not a valid host"},
      {"http://a b", "not a valid host"},
      {"http://[::1", "not a valid host"},
      {"http://[::1]9090", "not a valid host"},
      {"http://[node]:1", "not a valid host"},
      {"::1:9090", "not a valid host"},
      {"http://node:", "not a valid port"},
      {"http://node:0", "not a valid port"},
      {"http://node:65536", "not a valid port"},
      {"http://node:+80", "not a valid port"},
      {"http://node:9090x", "not a valid port"},
      {"ftp://node", "not a supported scheme"},
      {"http://node/graph?g0.expr=up", "query or a fragment"},
      {"http://node?x", "query or a fragment"},
      {"http://node#x", "query or a fragment"},
      {"http://node/a b", "characters"},
      {"http://node/a\r\nX: y", "characters"},
  };
  for (const auto& [text, why] : cases) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().kind, Errc::invalid_input);
    EXPECT_NE(url.error().message.find(why), std::string::npos) << text << ": " << url.error().message;
  }
}

TEST(Url, KeepsPasswordsOutOfMessages) {
  const auto url = parse_url("http://me:secret@node:9090");
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().message.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace ergon::service
