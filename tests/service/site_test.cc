#include "service/site.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

TEST(Site, HasThreeFiles) {
  const SiteFiles files{.page = "<p>", .script = "run()", .style = "p {}"};
  const auto ask = [&](const std::string& path, const std::string& method = "GET") {
    Request request;
    request.method = method;
    request.path = path;
    return site_answer(request, files);
  };
  EXPECT_EQ(ask("/").content(), "<p>");
  EXPECT_EQ(ask("/index.html").content(), "<p>");
  EXPECT_EQ(ask("/app.js").content(), "run()");
  EXPECT_EQ(ask("/app.css").content(), "p {}");
  EXPECT_EQ(ask("/app.js").type, "text/javascript; charset=utf-8");
  for (const char* path : {"", "/app", "/app.js/", "//app.js", "/policy.txt", "/../app.js", "/index.htm"})
    EXPECT_EQ(ask(path).status, 404) << path;
  EXPECT_EQ(ask("/", "POST").status, 405);
  EXPECT_EQ(site_answer({}, {}).status, 501);
}

TEST(Site, AddsSecurityHeaders) {
  Response response = error_response(404, "not_found", "x");
  add_security_headers(response);
  std::map<std::string, std::string> headers(response.headers.begin(), response.headers.end());
  EXPECT_EQ(headers.size(), response.headers.size()) << "none twice";
  EXPECT_NE(headers["Content-Security-Policy"].find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(headers["Content-Security-Policy"].find("unsafe"), std::string::npos);
  EXPECT_EQ(headers["X-Content-Type-Options"], "nosniff");
  EXPECT_EQ(headers["Referrer-Policy"], "no-referrer");
  EXPECT_EQ(headers["Cache-Control"], "no-store");
}

}  // namespace
}  // namespace ergon::service
