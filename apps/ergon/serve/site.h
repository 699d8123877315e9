#pragma once

#include <string>

#include "report/page.h"
#include "service/message.h"

namespace ergon::app {

// Serves /, /app.js and /app.css. Other paths give 404.
service::Response site_answer(const service::Request& request, const report::PageAssets& assets);

// Adds security headers to every response: scripts and resources of this server only, no framing, no
// referrer.
void add_security_headers(service::Response& response);

}  // namespace ergon::app
