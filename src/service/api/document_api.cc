#include "service/api/document_api.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace ergon::service {
namespace {

using std::chrono::seconds;

constexpr seconds kMaxWait{10};
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

// Releases an acquired semaphore at the end of the scope.
class SemaphoreGuard {
 public:
  explicit SemaphoreGuard(std::counting_semaphore<DocumentApi::kMaxConcurrent>& semaphore)
      : semaphore_(semaphore) {}
  SemaphoreGuard(const SemaphoreGuard&) = delete;
  SemaphoreGuard& operator=(const SemaphoreGuard&) = delete;
  ~SemaphoreGuard() { semaphore_.release(); }

 private:
  std::counting_semaphore<DocumentApi::kMaxConcurrent>& semaphore_;
};

Response busy_response(std::string_view reason) {
  Response busy = error_response(503, "busy", reason);
  busy.headers.emplace_back("Retry-After", "5");
  return busy;
}

int processor_count() { return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 64U)); }

}  // namespace

DocumentApi::DocumentApi(RunCommand run) : run_(std::move(run)), processors_(processor_count()) {}

Response DocumentApi::answer(const Endpoint& endpoint, const Request& request) {
  auto words = command_arguments(endpoint.command, endpoint.parameters, request.query);
  if (!words) return error_response(words.error());
  words->insert(words->end(), {"--json", "--quiet"});
  const std::string key = fmt::format("{}", fmt::join(*words, "\n"));
  if (endpoint.cacheable) {
    if (auto cached = cache_.find(key)) return json_response(std::move(*cached));
  }
  Response response = compute(*words);
  if (endpoint.cacheable && response.status == 200) cache_.insert(key, response.body);
  return response;
}

Response DocumentApi::compute(const std::vector<std::string>& words) {
  if (!processors_.try_acquire_for(kMaxWait)) return busy_response("too many requests at once; try again");
  const SemaphoreGuard processor(processors_);
  const Deadline deadline(kMaxComputation);
  auto document = run_(words, deadline.token());
  if (document) return json_response(std::move(*document));
  if (deadline.expired()) return busy_response("the request took more than 30 s; run it as a job");
  return error_response(document.error());
}

}  // namespace ergon::service
