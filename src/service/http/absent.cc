#include "service/http/client.h"
#include "service/http/server.h"

namespace ergon::service {

Result<std::string> get(const Url& url, std::string_view, const HttpOptions&, const std::stop_token&) {
  return fail(Errc::unsupported, "{}: this build of Ergon has no HTTP support", to_text(url));
}

Result<std::unique_ptr<Server>> Server::listen(const ListenAddress&, const ServerLimits&) {
  return fail(Errc::unsupported, "this build of Ergon has no HTTP support");
}

}  // namespace ergon::service
