#include "report/page.h"

#include <fmt/format.h>

namespace ergon::report {
namespace {

// Inside a script element nothing but its end tag and the beginning of a comment means something to HTML.
// Both begin with "<"; in JSON it can stand only in texts, where "\u003c" is the same. Blanks and line ends
// between values are for people, and half of a document.
std::string json_inside_html(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool in_text = false, escaped = false;
  for (const char c : json) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!in_text && blank) continue;
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
    if (c == '"' && !escaped) in_text = !in_text;
    escaped = in_text && c == '\\' && !escaped;
  }
  return out;
}

// Before the first mark, or at the end.
void insert_before(std::string& page, std::string_view mark, const std::string& text) {
  const auto place = page.find(mark);
  page.insert(place == std::string::npos ? page.size() : place, text);
}

// Removes the element that refers to a file: the page holds what was in it.
void remove_element(std::string& page, std::string_view reference, std::string_view opening,
                    std::string_view closing) {
  const auto place = page.find(reference);
  if (place == std::string::npos) return;
  const auto begin = page.rfind(opening, place);
  const auto end = page.find(closing, place);
  if (begin == std::string::npos || end == std::string::npos) return;
  page.erase(begin, end + closing.size() - begin);
}

// Styles are inside of the page, and a browser that saves it adds others.
std::string policy_element(const PageAssets& assets) {
  return fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; style-src "
      "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n",
      assets.script_hash);
}

}  // namespace

std::string page_of(const std::vector<std::string>& documents, const PageAssets& assets) {
  std::string page(assets.page);
  remove_element(page, "app.js", "<script", "</script>");
  remove_element(page, "app.css", "<link", ">");
  std::string data = "<script type=\"application/json\" id=\"ergon-documents\">[";
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (i > 0) data += ',';
    data += json_inside_html(documents[i]);
  }
  data += "]</script>\n";
  insert_before(page, "<title", policy_element(assets));
  insert_before(page, "</head>", "<style>" + std::string(assets.style) + "</style>\n");
  // Behind the body's elements, so that they and the data are there when it runs.
  insert_before(page, "</body>",
                data + "<script type=\"module\">" + std::string(assets.script) + "</script>\n");
  return page;
}

}  // namespace ergon::report
