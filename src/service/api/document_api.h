#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "service/api/endpoint.h"
#include "service/api/response_cache.h"

namespace ergon::service {

// Runs a command and returns the JSON document it prints. `words` is the command line without the program
// name. Thread-safe. A stop request ends the command with Errc::cancelled.
using RunCommand =
    std::function<Result<std::string>(const std::vector<std::string>& words, const std::stop_token& stop)>;

// Answers GET requests below /api/v1 with the documents of commands. Cacheable documents are cached (12 MiB).
// The server limits how many commands run at a time (Lane::costly). A command that takes longer than 30 s is
// stopped and gets status 503. Thread-safe.
class DocumentApi {
 public:
  explicit DocumentApi(RunCommand run) : run_(std::move(run)) {}

  Response answer(const Endpoint& endpoint, const Request& request);
  // The response if the document is cached.
  std::optional<Response> cached(const Endpoint& endpoint, const Request& request);

 private:
  Response compute(const std::vector<std::string>& words, const std::stop_token& stop);

  RunCommand run_;
  ResponseCache cache_{std::size_t{12} << 20};
};

}  // namespace ergon::service
