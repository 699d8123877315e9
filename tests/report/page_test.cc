#include "report/page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ergon::report {
namespace {

constexpr std::string_view kIndex =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Ergon</title>\n"
    "<script type=\"module\" src=\"./app.js\"></script>\n<link rel=\"stylesheet\" href=\"./app.css\">\n"
    "</head>\n<body>\n<div id=\"app\"></div>\n</body>\n</html>\n";

PageAssets some_assets() {
  return {.page = kIndex,
          .script = "if (1 < 2 && \"a\") run();",
          .style = "body > p { color: red }",
          .script_hash = "sha256-abc123="};
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto from = text.find(begin);
  if (from == std::string::npos) return "no " + begin;
  const auto to = text.find(end, from + begin.size());
  if (to == std::string::npos) return "no " + end;
  return text.substr(from + begin.size(), to - from - begin.size());
}

std::size_t times_in(const std::string& text, std::string_view what) {
  std::size_t times = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

constexpr const char* kData = "<script type=\"application/json\" id=\"ergon-documents\">";

nlohmann::json documents_in(const std::string& page) {
  return nlohmann::json::parse(between(page, kData, "</script>"), nullptr, false);
}

TEST(Page, ContainsItsDocumentsInOrder) {
  const std::vector<std::string> documents = {R"({"schema": "a/1", "x": [1, 2.5, null]})",
                                              "{\"schema\": \"b/1\"}\n", "{}"};
  const std::string page = page_of(documents, some_assets());
  const auto held = documents_in(page);
  ASSERT_TRUE(held.is_array());
  ASSERT_EQ(held.size(), 3u);
  for (std::size_t i = 0; i < documents.size(); ++i) EXPECT_EQ(held[i], nlohmann::json::parse(documents[i]));
  EXPECT_EQ(documents_in(page_of({}, some_assets())), nlohmann::json::array());
}

TEST(Page, DocumentsCannotCloseTheScript) {
  const nlohmann::json nasty = {{"</script><script>alert(1)</script>", "<!-- <script>"},
                                {"a", "]]></SCRIPT ><!--"},
                                {"b", "</body></head><title>"},
                                {"c", "\xe2\x80\xa8 \xe2\x80\xa9 \" \\ \\u003c & &lt;"},
                                {"d", "app.js app.css <link>"}};
  const std::string page = page_of({nasty.dump(), nasty.dump(2)}, some_assets());
  const auto held = documents_in(page);
  ASSERT_EQ(held.size(), 2u);
  EXPECT_EQ(held[0], nasty);
  EXPECT_EQ(held[1], nasty);
  const std::string plain = page_of({"{}", "{}"}, some_assets());
  EXPECT_EQ(times_in(page, "<"), times_in(plain, "<")) << "a document creates no elements";
  EXPECT_EQ(times_in(page, "</script>"), 2u);
  EXPECT_EQ(times_in(page, "alert(1)"), 2u) << "present as text";
}

// The policy has the hash of the script, so the script must be unchanged.
TEST(Page, ScriptAndStyleAreInline) {
  const PageAssets assets = some_assets();
  const std::string page = page_of({"{}"}, assets);
  EXPECT_EQ(between(page, "<script type=\"module\">", "</script>"), assets.script);
  EXPECT_EQ(between(page, "<style>", "</style>"), assets.style);
  for (const char* reference : {"app.js", "app.css", "<link", "src=", "href="})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
}

TEST(Page, LoadsNothingFromTheNetwork) {
  const std::string page = page_of({"{}"}, some_assets());
  const std::string policy = between(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << policy;
  EXPECT_NE(policy.find("script-src 'sha256-abc123='"), std::string::npos) << policy;
  for (const char* hole :
       {"script-src 'unsafe", "unsafe-eval", "'self'", "http:", "https:", "*", "connect-src"})
    EXPECT_EQ(policy.find(hole), std::string::npos) << hole;
  EXPECT_EQ(times_in(page, "Content-Security-Policy"), 1u);
}

TEST(Page, ScriptsFollowTheirData) {
  const std::string page = page_of({"{}"}, some_assets());
  std::size_t last = 0;
  for (const char* part :
       {"<!doctype html>", "<meta charset", "Content-Security-Policy", "<title>", "<style>", "</head>",
        "<body>", "id=\"app\"", "ergon-documents", "<script type=\"module\">", "</body>", "</html>"}) {
    const auto place = page.find(part);
    ASSERT_NE(place, std::string::npos) << part;
    EXPECT_GE(place, last) << part;
    last = place;
  }
}

TEST(Page, ContainsEverythingForAnUnexpectedIndexPage) {
  PageAssets assets = some_assets();
  for (const std::string_view index :
       {std::string_view(""), std::string_view("<p>hello"), std::string_view("<head></head><body></body>"),
        std::string_view("app.js app.css")}) {
    assets.page = index;
    const std::string page = page_of({R"({"a": "<"})"}, assets);
    EXPECT_EQ(documents_in(page), nlohmann::json::parse(R"([{"a": "<"}])")) << index;
    EXPECT_NE(page.find(assets.script), std::string::npos) << index;
    EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos) << index;
  }
}

TEST(Page, HoldsLargeDocuments) {
  std::string large = "[";
  for (int i = 0; i < 200'000; ++i) large += "\"<\",";
  large += "0]";
  const auto held = documents_in(page_of({large}, some_assets()));
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].size(), 200'001u);
}

}  // namespace
}  // namespace ergon::report
