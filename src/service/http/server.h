#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "service/message.h"

namespace ergon::service {

struct ServerLimits {
  std::size_t max_request_bytes = std::size_t{1} << 20;  // of a body; larger ones get 413
  std::size_t max_connections = 256;                     // at a time; further ones wait
  Seconds io_timeout{5};                                 // between two reads or writes of a connection
  Seconds keep_alive{2};                                 // idle time before a connection is closed
};

// An HTTP/1.1 server, independent of what it serves. A handler that throws gives status 500.
class Server {
 public:
  // Port 0 selects a free port. Errors: the address is in use, does not belong to this machine or needs
  // privileges; built without HTTP.
  static Result<std::unique_ptr<Server>> listen(const std::string& host, int port,
                                                const ServerLimits& limits);
  virtual ~Server() = default;

  virtual int port() const = 0;
  // Serves until a stop is requested. Then finishes responses in progress and ends streams.
  virtual void serve(const Handler& handler, const std::stop_token& stop) = 0;
};

}  // namespace ergon::service
