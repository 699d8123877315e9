#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "service/message.h"

namespace ergon::service {

struct ServerLimits {
  std::size_t most_request_bytes = std::size_t{1} << 20;  // of a body; longer ones get 413
  std::size_t most_connections = 256;                     // at once; further ones wait
  Seconds patience{5};  // for the next bytes of a request, and for taking those of an answer
  Seconds idle{2};      // a connection is kept open between requests
};

// An HTTP/1.1 server. It knows nothing of what is asked; a handler that throws is answered with 500.
class Server {
 public:
  // Port 0 takes a free one. Errors: the address is taken, is none of this machine, or needs rights; built
  // without HTTP.
  static Result<std::unique_ptr<Server>> listen(const std::string& host, int port,
                                                const ServerLimits& limits);
  virtual ~Server() = default;

  virtual int port() const = 0;
  // Answers until somebody asks to stop; then waits for answers that are under way, and ends streams.
  virtual void serve(const Handler& handler, const std::stop_token& stop) = 0;
};

}  // namespace ergon::service
