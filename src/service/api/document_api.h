#pragma once

#include <chrono>
#include <functional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <vector>

#include "service/api/answer_cache.h"
#include "service/api/endpoint.h"

namespace ergon::service {

// Runs a command line and gives the document it prints; words without the program's name. Any thread. A
// request to stop ends it with Errc::cancelled.
using RunCommand =
    std::function<Result<std::string>(const std::vector<std::string>& words, const std::stop_token& stop)>;

// Answers GET below /api/v1 with the documents of commands: those that last are kept, the others are computed
// by as many threads as there are processors; the rest waits, and is told to come again when that takes too
// long. Any thread.
class DocumentApi {
 public:
  static constexpr int kMostAtOnce = 64;

  explicit DocumentApi(RunCommand run);

  Response answer(const Endpoint& endpoint, const Request& request);

 private:
  Response computed(const std::vector<std::string>& words);

  RunCommand run_;
  AnswerCache cache_{std::size_t{64} << 20};
  std::counting_semaphore<kMostAtOnce> processors_;
};

}  // namespace ergon::service
