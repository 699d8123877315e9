#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ergon::report {

// Files of the dashboard, as built from web/.
struct PageAssets {
  std::string_view page;         // index.html, which refers to app.js and app.css
  std::string_view script;       // app.js; empty if the program was built without the dashboard
  std::string_view style;        // app.css
  std::string_view script_hash;  // policy.txt: "sha256-...", for content-security policies
};

// A self-contained HTML file that shows the documents (JSON texts). Script, style and data are inline, and
// its content security policy blocks all network requests.
std::string page_of(const std::vector<std::string>& documents, const PageAssets& assets);

}  // namespace ergon::report
