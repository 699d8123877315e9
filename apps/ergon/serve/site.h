#pragma once

#include <string>

#include "report/page.h"
#include "service/message.h"

namespace ergon::app {

// The pages: /, /app.js and /app.css. Anything else is 404.
service::Response site_answer(const service::Request& request, const report::PageAssets& assets);

// What every answer says to a browser: to run and to load nothing that is not the server's own, to be framed
// by nobody, to tell nobody where it was.
void protect(service::Response& response);

}  // namespace ergon::app
