#include "service/api/job_api.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/errc.h"
#include "base/json.h"
#include "base/text.h"
#include "service/api/file_response.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxFollowers = 64;
constexpr Seconds kHeartbeat{1};
constexpr const char* kRetryAfterSeconds = "60";

Response job_response(const Result<Job>& job, int status = 200) {
  if (!job) return error_response(job.error());
  return json_response(job_text(*job), status);
}

// Started or resumed jobs. A full queue is temporary, unlike other reasons to refuse a job.
Response placed_response(const Jobs& jobs, const Result<Job>& job, int status) {
  if (job || job.error().kind != Errc::busy || !jobs.queue_full()) return job_response(job, status);
  Response full = error_response(503, mapping_of(Errc::busy).name, job.error().message);
  full.headers.emplace_back("Retry-After", kRetryAfterSeconds);
  return full;
}

Response method_refused(std::string_view allowed) {
  Response refused = error_response(405, "invalid_input", fmt::format("method not allowed; use {}", allowed));
  refused.headers.emplace_back("Allow", std::string(allowed));
  return refused;
}

Result<Json> body_of(const Request& request) {
  auto body = parse_json<Json>(request.body);
  if (!body) return fail(Errc::invalid_input, "the body is {}", body.error().message);
  if (!body->is_object()) return fail(Errc::invalid_input, "the body is not a JSON object");
  return body;
}

// One client of a job's event stream (server-sent events).
class Follower {
 public:
  Follower(const Jobs& jobs, Jobs::Cursor cursor, std::uint64_t decisions_seen, std::stop_token stop,
           std::shared_ptr<std::atomic<int>> followers)
      : jobs_(jobs),
        cursor_(std::move(cursor)),
        decisions_(decisions_seen),
        stop_(std::move(stop)),
        followers_(std::move(followers)) {
    ++*followers_;
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;
  ~Follower() { --*followers_; }

  // Writes new events: a piece of a long log of decisions. Returns false after the last one.
  bool send_events(const Response::Write& write) {
    const auto update = jobs_.follow(cursor_, kHeartbeat, stop_);
    if (stop_.stop_requested()) return false;
    if (!update) {
      write("event: end\ndata: {}\n\n");
      return false;
    }
    std::string text;
    for (const std::string& decision : update->decisions)
      text += fmt::format("event: decision\nid: {}\ndata: {}\n\n", ++decisions_, decision);
    if (update->job) text += fmt::format("event: job\ndata: {}\n", job_text(*update->job));
    if (update->over) text += "event: end\ndata: {}\n\n";
    // The decisions that are left out of a long log take more than one piece.
    if (text.empty()) text = cursor_.decisions.at_end() ? ": keep-alive\n\n" : "";
    return write(text) && !update->over;
  }

 private:
  const Jobs& jobs_;
  Jobs::Cursor cursor_;
  std::uint64_t decisions_;
  std::stop_token stop_;
  std::shared_ptr<std::atomic<int>> followers_;
};

// The list of all jobs as JSON, piece by piece: the texts of 1,000 jobs take some 10 MB. A job that is
// deleted meanwhile is left out.
class JobList {
 public:
  explicit JobList(const Jobs& jobs) : jobs_(jobs), ids_(jobs.ids()) {}

  // The next piece. Empty at the end.
  std::string next() {
    std::string text;
    for (; next_ < ids_.size() && text.size() < kPiece; ++next_) {
      const auto job = jobs_.find(ids_[next_]);
      if (!job) continue;
      text += std::exchange(started_, true) ? "," : "{\"jobs\":[";
      text += trim(job_text(*job));
    }
    if (next_ < ids_.size() || std::exchange(ended_, true)) return text;
    return text + (started_ ? "]}\n" : "{\"jobs\":[]}\n");
  }
  bool ended() const { return ended_; }

 private:
  static constexpr std::size_t kPiece = std::size_t{64} << 10;

  const Jobs& jobs_;
  std::vector<std::string> ids_;
  std::size_t next_ = 0;
  bool started_ = false, ended_ = false;
};

}  // namespace

Response JobApi::answer(const Request& request, std::string_view rest) {
  if (rest.empty() || rest == "/") {
    if (request.method == "GET" || request.method == "HEAD") return list();
    return request.method == "POST" ? start(request) : method_refused("GET, POST");
  }
  rest.remove_prefix(1);
  const auto slash = rest.find('/');
  const std::string id(rest.substr(0, slash));
  if (!is_job_id(id)) return error_response(404, "not_found", "no such job; GET /api/v1/jobs lists all jobs");
  if (slash == std::string_view::npos) return one(request, id);
  return act(request, id, rest.substr(slash + 1));
}

Response JobApi::list() const {
  const auto list = std::make_shared<JobList>(jobs_);
  std::string first = list->next();
  if (list->ended()) return json_response(std::move(first));
  Response response;
  response.stream = [list, piece = std::move(first)](const Response::Write& write) mutable {
    if (!write(piece)) return false;
    piece = list->next();
    return !piece.empty();
  };
  return response;
}

Response JobApi::start(const Request& request) {
  const auto body = body_of(request);
  if (!body) return error_response(body.error());
  const auto command = body->find("command");
  if (command == body->end() || !command->is_string())
    return error_response(400, "invalid_input", "command is missing (example: \"command\": \"sweep\")");
  const auto options = body->find("options");
  return placed_response(
      jobs_, jobs_.start(command->get<std::string>(), options == body->end() ? Json::object() : *options),
      201);
}

Response JobApi::one(const Request& request, const std::string& id) {
  if (request.method == "GET" || request.method == "HEAD") return job_response(jobs_.find(id));
  if (request.method != "DELETE") return method_refused("GET, DELETE");
  if (const auto removed = jobs_.remove(id); !removed) return error_response(removed.error());
  return json_response("", 204);
}

Response JobApi::act(const Request& request, const std::string& id, std::string_view action) {
  const bool reading = request.method == "GET" || request.method == "HEAD";
  if (action == "events") return reading ? events(request, id) : method_refused("GET");
  if (action == "result") {
    if (!reading) return method_refused("GET");
    const auto file = jobs_.result_file(id);
    return file ? file_response(*file) : error_response(file.error());
  }
  if (action == "cancel")
    return request.method == "POST" ? job_response(jobs_.cancel(id)) : method_refused("POST");
  if (action == "resume")
    return request.method == "POST" ? placed_response(jobs_, jobs_.resume(id), 200) : method_refused("POST");
  if (action == "cap") return request.method == "PUT" ? set_cap(request, id) : method_refused("PUT");
  return error_response(404, "not_found", "unknown path; /api/v1/openapi.json lists all paths");
}

Response JobApi::set_cap(const Request& request, const std::string& id) {
  const auto body = body_of(request);
  if (!body) return error_response(body.error());
  const auto watts = body->find("watts");
  if (watts == body->end() || !watts->is_number())
    return error_response(400, "invalid_input", "watts is not a number (example: {\"watts\": 200})");
  return job_response(jobs_.set_cap(id, Watts{watts->get<double>()}));
}

Response JobApi::events(const Request& request, const std::string& id) {
  const auto last = parse_int64(request.header("last-event-id"));
  const std::uint64_t seen = last && *last > 0 ? static_cast<std::uint64_t>(*last) : 0;
  auto cursor = jobs_.cursor(id, seen);
  if (!cursor) return error_response(cursor.error());
  if (followers_->load() >= kMaxFollowers)
    return error_response(503, "busy", "64 clients follow jobs already; try again later");
  const auto follower = std::make_shared<Follower>(jobs_, std::move(*cursor), seen, request.stop, followers_);
  Response response;
  response.type = "text/event-stream";
  response.stream = [follower](const Response::Write& write) { return follower->send_events(write); };
  return response;
}

}  // namespace ergon::service
