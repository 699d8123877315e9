#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "service/message.h"

namespace ergon::service {

// The files of the dashboard.
struct SiteFiles {
  std::string_view page;    // index.html
  std::string_view script;  // app.js; empty if the program was built without the dashboard
  std::string_view style;   // app.css
};

// The paths that site_answer() serves.
inline constexpr std::array<std::string_view, 4> kPagePaths = {"/", "/index.html", "/app.js", "/app.css"};

inline bool is_page_path(std::string_view path) {
  return std::find(kPagePaths.begin(), kPagePaths.end(), path) != kPagePaths.end();
}

// Serves kPagePaths. Other paths give 404.
Response site_answer(const Request& request, const SiteFiles& files);

// Adds security headers to every response: scripts and resources of this server only, no framing, no
// referrer.
void add_security_headers(Response& response);

}  // namespace ergon::service
