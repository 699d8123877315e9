#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ergon::report {

// What the pages are made of, as web/ builds them.
struct PageAssets {
  std::string_view page;         // index.html, which refers to app.js and app.css
  std::string_view script;       // app.js; empty where the program was built without pages
  std::string_view style;        // app.css
  std::string_view script_hash;  // policy.txt: "sha256-...", for content-security policies
};

// One HTML file that draws documents (JSON texts), wherever it is opened: script, style and data are inside,
// and its content-security policy lets it ask nobody for anything.
std::string page_of(const std::vector<std::string>& documents, const PageAssets& assets);

}  // namespace ergon::report
