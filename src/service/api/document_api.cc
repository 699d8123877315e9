#include "service/api/document_api.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace ergon::service {
namespace {

using std::chrono::seconds;

constexpr seconds kLongestWait{10};
constexpr seconds kLongestAnswer{30};

// Asks to stop when the time is over, unless it is gone before.
class Deadline {
 public:
  explicit Deadline(seconds time)
      : watcher_([this, time](const std::stop_token& leaving) { watch(leaving, time); }) {}

  std::stop_token token() const { return source_.get_token(); }
  bool over() const { return source_.stop_requested(); }

 private:
  void watch(const std::stop_token& leaving, seconds time) {
    std::unique_lock lock(mutex_);
    if (!woken_.wait_for(lock, leaving, time, [&] { return leaving.stop_requested(); }) &&
        !leaving.stop_requested())
      source_.request_stop();
  }

  std::stop_source source_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::jthread watcher_;
};

// Gives back what was acquired, whatever happens.
class Returned {
 public:
  explicit Returned(std::counting_semaphore<DocumentApi::kMostAtOnce>& taken) : taken_(taken) {}
  Returned(const Returned&) = delete;
  Returned& operator=(const Returned&) = delete;
  ~Returned() { taken_.release(); }

 private:
  std::counting_semaphore<DocumentApi::kMostAtOnce>& taken_;
};

Response come_again(std::string_view why) {
  Response busy = error_response(503, "busy", why);
  busy.headers.emplace_back("Retry-After", "5");
  return busy;
}

int processors_here() { return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 64U)); }

}  // namespace

DocumentApi::DocumentApi(RunCommand run) : run_(std::move(run)), processors_(processors_here()) {}

Response DocumentApi::answer(const Endpoint& endpoint, const Request& request) {
  auto words = words_of(endpoint.command, endpoint.parameters, request.query);
  if (!words) return error_response(words.error());
  words->insert(words->end(), {"--json", "--quiet"});
  const std::string question = fmt::format("{}", fmt::join(*words, "\n"));
  if (endpoint.lasting) {
    if (auto known = cache_.find(question)) return json_response(std::move(*known));
  }
  Response response = computed(*words);
  if (endpoint.lasting && response.status == 200) cache_.keep(question, response.body);
  return response;
}

Response DocumentApi::computed(const std::vector<std::string>& words) {
  if (!processors_.try_acquire_for(kLongestWait)) return come_again("too much is being asked at once");
  const Returned processor(processors_);
  const Deadline deadline(kLongestAnswer);
  auto document = run_(words, deadline.token());
  if (document) return json_response(std::move(*document));
  if (deadline.over()) return come_again("this takes too long for a request; run it as a job");
  return error_response(document.error());
}

}  // namespace ergon::service
