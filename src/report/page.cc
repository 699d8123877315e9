#include "report/page.h"

#include <fmt/format.h>

namespace ergon::report {
namespace {

// Inside a script element, HTML interprets only the end tag and the start of a comment. Both begin with "<",
// which JSON contains only in strings, where "\u003c" is equivalent. Whitespace between values is removed: it
// is about half of a document.
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

// Inserts the text before the first mark, or at the end if there is none.
void insert_before(std::string& page, std::string_view mark, const std::string& text) {
  const auto position = page.find(mark);
  page.insert(position == std::string::npos ? page.size() : position, text);
}

// Removes the element that refers to a file, because the page contains the file.
void remove_element(std::string& page, std::string_view reference, std::string_view opening,
                    std::string_view closing) {
  const auto position = page.find(reference);
  if (position == std::string::npos) return;
  const auto begin = page.rfind(opening, position);
  const auto end = page.find(closing, position);
  if (begin == std::string::npos || end == std::string::npos) return;
  page.erase(begin, end + closing.size() - begin);
}

// Allows inline styles: the page has its own, and a browser that saves the page adds others.
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
  // After the body's elements and the data, because the script needs both.
  insert_before(page, "</body>",
                data + "<script type=\"module\">" + std::string(assets.script) + "</script>\n");
  return page;
}

}  // namespace ergon::report
