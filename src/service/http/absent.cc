#include "service/http/client.h"

namespace ergon::service {

Result<std::string> get(const Url& url, std::string_view, const Access&, const std::stop_token&) {
  return fail(Errc::unsupported, "{}: this build of Ergon was built without HTTP", to_text(url));
}

}  // namespace ergon::service
