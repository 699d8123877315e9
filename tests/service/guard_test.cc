#include "service/guard.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

constexpr const char* kToken = "0123456789abcdef";

Request asking(const std::string& method, const std::string& path, Fields headers) {
  Request request;
  request.method = method;
  request.path = path;
  request.headers = std::move(headers);
  return request;
}

// 0: accepted.
int refused_with(const Guard& guard, const Request& request) {
  const auto refusal = guard.refusal(request);
  return refusal ? refusal->status : 0;
}

int posted_with(const Guard& guard, Fields more) {
  more.emplace_back("host", "localhost:8377");
  return refused_with(guard, asking("POST", "/api/v1/jobs", std::move(more)));
}

TEST(Guard, RecognizesLoopbackNames) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) EXPECT_TRUE(is_loopback(host));
  for (const char* host :
       {"", "0.0.0.0", "::", "128.0.0.1", "1270.0.0.1", "127.0.0.1.evil.example", "127.evil.example",
        "localhost.evil.example", "evil.localhost", "10.0.0.1", "::2", "127.0.0.1 ", "[::1]", "2130706433"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

TEST(Guard, RejectsForeignHostNamesOnLoopback) {
  const Guard guard(true, "");
  for (const char* host :
       {"localhost", "localhost:8377", "127.0.0.1", "127.0.0.1:1", "127.8.8.8:65535", "[::1]", "[::1]:8377"})
    EXPECT_EQ(refused_with(guard, asking("GET", "/api/v1/zoo", {{"host", host}})), 0) << host;
  for (const char* host :
       {"evil.example", "evil.example:8377", "127.0.0.1.evil.example:8377", "[::2]:8377", "[::1", "::1", "",
        ":8377", "[]:1", "0.0.0.0:8377", "localhost.evil.example", "evil.example:localhost", " localhost"}) {
    EXPECT_EQ(refused_with(guard, asking("GET", "/api/v1/zoo", {{"host", host}})), 403) << host;
    EXPECT_EQ(refused_with(guard, asking("GET", "/", {{"host", host}})), 403) << host;
  }
  EXPECT_EQ(refused_with(guard, asking("GET", "/api/v1/zoo", {})), 403) << "no host at all";
}

TEST(Guard, AcceptsAnyHostNameBeyondLoopback) {
  const Guard guard(false, kToken);
  for (const char* host : {"gpu7.example", "10.0.0.7:8377", ""})
    EXPECT_EQ(refused_with(guard, asking("GET", "/", {{"host", host}})), 0) << host;
}

TEST(Guard, ApiAndMetricsNeedTheToken) {
  const Guard guard(true, kToken);
  const Fields host{{"host", "localhost"}};
  for (const char* path : {"/api/v1/zoo", "/api/v1/openapi.json", "/api/v1/jobs", "/metrics", "/api/"})
    EXPECT_EQ(refused_with(guard, asking("GET", path, host)), 401) << path;
  for (const char* path : {"/nothing", "/app.js.map", "//", "/index.htm", ""})
    EXPECT_EQ(refused_with(guard, asking("GET", path, host)), 401) << path;
  for (const char* path : {"/", "/index.html", "/app.js", "/app.css"})
    EXPECT_EQ(refused_with(guard, asking("GET", path, host)), 0) << path;
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
    EXPECT_EQ(refused_with(guard, asking(method, "/", host)), 401) << method;
  const auto refusal = guard.refusal(asking("GET", "/metrics", host));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->headers, (Fields{{"WWW-Authenticate", "Bearer"}}));
  EXPECT_EQ(refusal->body.find(kToken), std::string::npos);
}

TEST(Guard, ReadsTheBearerToken) {
  const Guard guard(true, kToken);
  const auto with = [&](const std::string& authorization) {
    return refused_with(
        guard, asking("GET", "/api/v1/zoo", {{"host", "localhost"}, {"authorization", authorization}}));
  };
  const std::string token = kToken;
  EXPECT_EQ(with("Bearer " + token), 0);
  for (const char* scheme : {"bearer ", "BEARER ", "bEaReR "}) EXPECT_EQ(with(scheme + token), 0) << scheme;
  const std::vector<std::string> all_wrong = {"",
                                              "Bearer",
                                              "Bearer ",
                                              token,
                                              "Basic " + token,
                                              "Bearer " + token + "x",
                                              "Bearer " + token.substr(1),
                                              "Bearer x" + token,
                                              "Bearer " + token + " ",
                                              "Bearer " + token + token,
                                              "Bearer  " + token,
                                              "Bearer 0123456789abcdeF",
                                              "Bearer,Bearer " + token};
  for (const std::string& wrong : all_wrong) EXPECT_EQ(with(wrong), 401) << wrong;
}

TEST(Guard, IgnoresATokenInTheUrl) {
  const Guard guard(true, kToken);
  Request request = asking("GET", "/api/v1/zoo", {{"host", "localhost"}});
  for (const char* name : {"token", "access_token", "authorization"})
    request.query.emplace_back(name, kToken);
  EXPECT_EQ(refused_with(guard, request), 401);
  request.body = "access_token=" + std::string(kToken);
  EXPECT_EQ(refused_with(guard, request), 401);
  request.headers.emplace_back("cookie", "token=" + std::string(kToken));
  EXPECT_EQ(refused_with(guard, request), 401);
}

TEST(Guard, AcceptsRequestsWithoutATokenIfNoneIsSet) {
  EXPECT_EQ(refused_with(Guard(true, ""), asking("GET", "/metrics", {{"host", "localhost"}})), 0);
}

TEST(Guard, RejectsCrossOriginChanges) {
  const Guard guard(true, "");
  const std::pair<std::string, std::string> json{"content-type", "application/json"};
  EXPECT_EQ(posted_with(guard, {json}), 0);
  EXPECT_EQ(posted_with(guard, {json, {"origin", "http://localhost:8377"}}), 0);
  for (const char* origin :
       {"http://evil.example", "http://localhost", "http://localhost:8378", "null", "http://127.0.0.1:8377",
        "localhost:8377", "http://localhost:8377.evil.example", "http://evil.example/?http://localhost:8377"})
    EXPECT_EQ(posted_with(guard, {json, {"origin", origin}}), 403) << origin;
  const Fields deleting{{"host", "localhost:8377"}, {"origin", "http://evil.example"}};
  EXPECT_EQ(refused_with(guard, asking("DELETE", "/api/v1/jobs/a", deleting)), 403);
}

// The response cannot be read by the other page, but the request could keep the processors busy.
TEST(Guard, RejectsCrossOriginReads) {
  const Guard guard(true, "");
  const auto reading = [&](const char* path, Fields headers) {
    headers.emplace_back("host", "localhost:8377");
    return refused_with(guard, asking("GET", path, std::move(headers)));
  };
  for (const char* path : {"/api/v1/roofline", "/metrics", "/api/v1/jobs/a"}) {
    EXPECT_EQ(reading(path, {}), 0) << path;
    EXPECT_EQ(reading(path, {{"sec-fetch-site", "same-origin"}}), 0) << path;
    EXPECT_EQ(reading(path, {{"sec-fetch-site", "none"}}), 0) << "typed into the address bar: " << path;
    EXPECT_EQ(reading(path, {{"origin", "http://localhost:8377"}}), 0) << path;
    for (const char* site : {"cross-site", "same-site", "unheard-of"})
      EXPECT_EQ(reading(path, {{"sec-fetch-site", site}}), 403) << path << " " << site;
    for (const char* origin : {"http://evil.example", "null", "http://localhost:8378"})
      EXPECT_EQ(reading(path, {{"origin", origin}}), 403) << path << " " << origin;
  }
  EXPECT_EQ(reading("/", {{"sec-fetch-site", "cross-site"}}), 0) << "links may open the page";
}

TEST(Guard, RejectsFormContentTypes) {
  const Guard guard(true, "");
  for (const char* type : {"application/json", "application/json; charset=utf-8", "application/json;x"})
    EXPECT_EQ(posted_with(guard, {{"content-type", type}}), 0) << type;
  EXPECT_EQ(posted_with(guard, {}), 415);
  for (const char* type :
       {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "text/plain; application/json", "text/plain;application/json", "application/jsonx",
        "application/json,text/plain", ""})
    EXPECT_EQ(posted_with(guard, {{"content-type", type}}), 415) << type;
  const Fields host{{"host", "localhost"}};
  EXPECT_EQ(refused_with(guard, asking("PUT", "/api/v1/jobs/a/cap", host)), 415);
  EXPECT_EQ(refused_with(guard, asking("DELETE", "/api/v1/jobs/a", host)), 0);
}

TEST(Guard, ChecksTheTokenFirst) {
  const Guard guard(true, kToken);
  EXPECT_EQ(posted_with(guard, {{"content-type", "text/plain"}, {"origin", "http://evil.example"}}), 401);
}

}  // namespace
}  // namespace ergon::service
