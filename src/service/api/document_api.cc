#include "service/api/document_api.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "base/either_stop.h"

namespace ergon::service {
namespace {

using std::chrono::seconds;

constexpr seconds kMaxComputation{30};

// Requests a stop when `time` has passed, unless it is destroyed earlier.
class Deadline {
 public:
  explicit Deadline(seconds time)
      : timer_([this, time](const std::stop_token& destroyed) { wait(destroyed, time); }) {}

  std::stop_token token() const { return source_.get_token(); }
  bool expired() const { return source_.stop_requested(); }

 private:
  void wait(const std::stop_token& destroyed, seconds time) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait_for(lock, destroyed, time, [&] { return destroyed.stop_requested(); }) &&
        !destroyed.stop_requested())
      source_.request_stop();
  }

  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread timer_;
};

Response busy_response(std::string_view reason) {
  Response busy = error_response(503, "busy", reason);
  busy.headers.emplace_back("Retry-After", "5");
  return busy;
}

// The command line without the program name.
Result<std::vector<std::string>> words_of(const Endpoint& endpoint, const Request& request) {
  auto words = command_arguments(endpoint.command, endpoint.parameters, request.query);
  if (words) words->insert(words->end(), {"--json", "--quiet"});
  return words;
}

std::string key_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, "\n"));
}

}  // namespace

std::optional<Response> DocumentApi::cached(const Endpoint& endpoint, const Request& request) {
  if (!endpoint.cacheable) return std::nullopt;
  const auto words = words_of(endpoint, request);
  auto found = words ? cache_.find(key_of(*words)) : nullptr;
  return found ? std::optional(shared_json_response(std::move(found))) : std::nullopt;
}

Response DocumentApi::answer(const Endpoint& endpoint, const Request& request) {
  const auto words = words_of(endpoint, request);
  if (!words) return error_response(words.error());
  const std::string key = key_of(*words);
  if (endpoint.cacheable) {
    if (auto cached = cache_.find(key)) return shared_json_response(std::move(cached));
  }
  Response response = compute(*words, request.stop);
  if (!endpoint.cacheable || response.status != 200) return response;
  auto shared = std::make_shared<const std::string>(std::move(response.body));
  cache_.insert(key, shared);
  return shared_json_response(std::move(shared));
}

Response DocumentApi::compute(const std::vector<std::string>& words, const std::stop_token& stop) {
  const Deadline deadline(kMaxComputation);
  const EitherStop either(deadline.token(), stop);
  auto document = run_(words, either.token());
  if (document) return json_response(std::move(*document));
  if (deadline.expired()) return busy_response("the request took more than 30 s; run it as a job");
  return error_response(document.error());
}

}  // namespace ergon::service
