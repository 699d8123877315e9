#include "service/jobs/jobs.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/file.h"
#include "service/jobs/decision_log_reader.h"
#include "service/jobs/job_execution.h"
#include "service/jobs/job_kind.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxRunning = 4;
constexpr std::size_t kMaxJobs = 1000;
constexpr std::chrono::milliseconds kJobPollPeriod{50};
// Time for commands to restore devices when the server ends.
constexpr std::chrono::seconds kStopTimeout{10};

std::chrono::nanoseconds nanoseconds_of(Seconds time) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(time.si() * 1e9));
}

Result<std::vector<JobStep>> steps_of(const Job& job, const std::filesystem::path& folder) {
  const JobKind* kind = find_job_kind(job.command);
  if (kind == nullptr) return fail(Errc::invalid_input, "\"{}\" cannot run as a job", job.command);
  const auto fields = fields_of_json(job.options.dump());
  if (!fields) return fields.error();
  return job_steps(*kind, *fields, folder);
}

// Replaces invalid UTF-8.
std::string as_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

bool is_simulated(const std::string& document) {
  const auto json = Json::parse(document, nullptr, false);
  const Json::json_pointer pointer("/provenance/simulated");
  return json.is_object() && json.contains(pointer) && json[pointer].is_boolean() &&
         json[pointer].get<bool>();
}

}  // namespace

struct Jobs::Entry {
  Entry(Job initial, const std::filesystem::path& folder)
      : job(std::move(initial)), log(folder / kDecisionFile) {}

  Job job;
  std::unique_ptr<JobExecution> execution;
  std::uint64_t version = 1;
  LineTail log;
  DecisionLogReader reader;
  std::vector<std::string> decisions;  // JSON texts
  std::uint64_t violations = 0;

  // Returns true if there were new decisions.
  bool read_decisions() {
    const std::size_t before = decisions.size();
    for (const std::string& line : log.read_new_lines()) {
      const auto decision = reader.read(line);
      if (!decision) continue;
      decisions.push_back(decision->dump());
      const auto power = decision->find("power_watts"), held = decision->find("cap_watts");
      if (power != decision->end() && power->is_number() && held != decision->end() && held->is_number())
        violations += power->get<double>() > held->get<double>() ? 1U : 0U;
    }
    return decisions.size() > before;
  }
};

Result<std::unique_ptr<Jobs>> Jobs::open(const std::filesystem::path& folder, const std::string& program,
                                         const Clock& clock) {
  auto opened = JobFolder::open(folder);
  if (!opened) return opened.error();
  return std::unique_ptr<Jobs>(new Jobs(std::move(*opened), program, clock));
}

Jobs::Jobs(JobFolder folder, std::string program, const Clock& clock)
    : folder_(std::move(folder)), program_(std::move(program)), clock_(clock) {
  for (Job& job : folder_.load()) {
    if (job.running()) {
      job.state = JobState::interrupted;
      job.ended = clock_.wall_now();
      job.message = "the server ended while the job ran";
      const JobKind* kind = find_job_kind(job.command);
      job.resumable = kind != nullptr && kind->resumable;
      [[maybe_unused]] const auto stored = folder_.store(job);  // interrupted even if this fails
    }
    const std::string id = job.id;
    entries_[id] = std::make_unique<Entry>(std::move(job), folder_.of(id));
  }
  // The commands end with this thread (see Process).
  supervisor_ = std::jthread([this](const std::stop_token& stop) { supervise(stop); });
}

Jobs::~Jobs() {
  supervisor_.request_stop();
  supervisor_.join();
}

std::vector<Job> Jobs::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<Job> all;
  for (const auto& [id, entry] : entries_) all.push_back(entry->job);
  std::sort(all.begin(), all.end(), [](const Job& a, const Job& b) { return a.created > b.created; });
  return all;
}

Result<Jobs::Entry*> Jobs::entry(const std::string& id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return fail(Errc::not_found, "no such job; GET /api/v1/jobs lists all jobs");
  return found->second.get();
}

Result<Job> Jobs::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  return (*found)->job;
}

// Limits: one cap per device, the number of running jobs and the number of stored jobs.
Result<> Jobs::check_limits(const Job& job) const {
  std::size_t running = 0;
  for (const auto& [id, entry] : entries_) {
    if (!entry->job.running()) continue;
    ++running;
    const bool caps = job.command == "cap" && entry->job.command == "cap";
    if (caps && option_text(entry->job, "device") == option_text(job, "device"))
      return fail(Errc::busy, "job {} already holds a cap on this device; cancel it first", id);
  }
  if (running >= kMaxRunning)
    return fail(Errc::busy, "{} jobs are running, which is the limit; wait or cancel one", running);
  if (entries_.size() >= kMaxJobs)
    return fail(Errc::busy, "{} jobs are stored, which is the limit; delete some", entries_.size());
  return {};
}

Result<Job> Jobs::start(std::string_view command, const Json& options) {
  const JobKind* kind = find_job_kind(command);
  if (kind == nullptr) {
    std::vector<std::string_view> names;
    for (const JobKind& each : job_kinds()) names.push_back(each.command);
    return fail(Errc::invalid_input, "\"{}\" is not a job command; expected one of {}", command,
                fmt::join(names, ", "));
  }
  const auto fields = fields_of_json(options.dump());
  if (!fields) return fields.error();
  Job job;
  job.command = command;
  job.options = options;
  job.title = job_title(*kind, *fields);
  job.created = clock_.wall_now();
  job.simulated = known_simulated(*kind, *fields);
  if (const auto fine = job_steps(*kind, *fields, "."); !fine) return fine.error();
  if (kind->capped) {
    const auto watts = options.find("watts");
    if (watts == options.end() || !watts->is_number())
      return fail(Errc::invalid_input, "watts is not a number");
    job.cap = Watts{watts->get<double>()};
    if (!(*job.cap > Watts{0})) return fail(Errc::invalid_input, "watts must be greater than 0");
  }
  const std::lock_guard lock(mutex_);
  if (auto fine = check_limits(job); !fine) return fine.error();
  auto id = folder_.create(command, job.created);
  if (!id) return id.error();
  job.id = *id;
  auto made = std::make_unique<Entry>(std::move(job), folder_.of(*id));
  Entry& entry = *made;
  entries_[*id] = std::move(made);
  if (auto begun = begin(entry); !begun) {
    entries_.erase(*id);
    [[maybe_unused]] const auto removed = folder_.remove(*id);
    return begun.error();
  }
  return entry.job;
}

// Prepares the execution; the supervisor thread starts it.
Result<> Jobs::begin(Entry& entry) {
  Job& job = entry.job;
  auto steps = steps_of(job, folder_.of(job.id));
  if (!steps) return steps.error();
  if (job.cap) {
    if (auto written = write_file(folder_.of(job.id) / kCapFile, fmt::format("{}W\n", job.cap->si()));
        !written)
      return written;
  }
  job.state = JobState::running;
  job.ended.reset();
  job.exit_code.reset();
  job.message.clear();
  job.resumable = false;
  if (auto stored = folder_.store(job); !stored) return stored;
  entry.execution = std::make_unique<JobExecution>(program_, std::move(*steps), folder_.of(job.id));
  changed(entry);
  return {};
}

Result<Job> Jobs::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  if ((*found)->execution) (*found)->execution->stop();
  return (*found)->job;
}

Result<Job> Jobs::resume(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  Entry& entry = **found;
  if (entry.job.running()) return fail(Errc::invalid_input, "the job is running");
  if (!entry.job.resumable) return fail(Errc::invalid_input, "this job cannot be resumed; start a new one");
  if (auto fine = check_limits(entry.job); !fine) return fine.error();
  if (auto begun = begin(entry); !begun) return begun.error();
  return entry.job;
}

Result<> Jobs::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  if ((*found)->job.running()) return fail(Errc::invalid_input, "the job is running; cancel it first");
  if (auto removed = folder_.remove(id); !removed) return removed;
  entries_.erase(id);
  changed_.notify_all();
  return {};
}

Result<Job> Jobs::set_cap(const std::string& id, Watts cap) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  Entry& entry = **found;
  if (!entry.job.running() || !entry.job.cap) return fail(Errc::invalid_input, "this job holds no cap");
  if (!(cap > Watts{0})) return fail(Errc::invalid_input, "watts must be greater than 0");
  if (auto written = write_file(folder_.of(id) / kCapFile, fmt::format("{}W\n", cap.si())); !written)
    return written.error();
  entry.job.cap = cap;
  changed(entry);
  return entry.job;
}

Result<std::string> Jobs::result(const std::string& id) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = entry(id); !found) return found.error();
  }
  auto text = read_file(folder_.document_of(id));
  if (!text) return fail(Errc::not_found, "the job has no result");
  return text;
}

Result<Jobs::JobUpdate> Jobs::follow(const std::string& id, std::uint64_t version_seen,
                                     std::size_t decisions_seen, Seconds timeout) const {
  std::unique_lock lock(mutex_);
  const auto until = std::chrono::steady_clock::now() + nanoseconds_of(timeout);
  while (true) {
    const auto found = entry(id);
    if (!found) return found.error();
    Entry& entry = **found;
    if (!entry.job.running()) entry.read_decisions();
    const bool waited = std::chrono::steady_clock::now() >= until;
    if (entry.version == version_seen && entry.decisions.size() <= decisions_seen && entry.job.running() &&
        !waited) {
      changed_.wait_until(lock, until);
      continue;
    }
    JobUpdate update;
    if (entry.version != version_seen) update.job = entry.job;
    for (std::size_t i = decisions_seen; i < entry.decisions.size(); ++i)
      update.decisions.push_back(entry.decisions[i]);
    update.version = entry.version;
    update.over = !entry.job.running();
    return update;
  }
}

std::vector<HeldCap> Jobs::held_caps() const {
  const std::lock_guard lock(mutex_);
  std::vector<HeldCap> held;
  for (const auto& [id, entry] : entries_) {
    if (entry->job.running() && entry->job.cap && !entry->decisions.empty()) {
      held.push_back(
          {entry->job, Json::parse(entry->decisions.back()), entry->decisions.size(), entry->violations});
    }
  }
  return held;
}

void Jobs::supervise(const std::stop_token& stop) {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  while (true) {
    bool busy = false;
    {
      const std::lock_guard lock(mutex_);
      for (auto& [id, entry] : entries_) {
        if (!entry->execution) continue;
        if (stop.stop_requested()) entry->execution->stop();
        if (deadline && std::chrono::steady_clock::now() > *deadline) entry->execution->kill();
        poll(*entry);
        busy = busy || entry->execution;
      }
    }
    if (stop.stop_requested() && !busy) return;
    if (stop.stop_requested() && !deadline) deadline = std::chrono::steady_clock::now() + kStopTimeout;
    std::this_thread::sleep_for(kJobPollPeriod);
  }
}

void Jobs::poll(Entry& entry) {
  bool new_data = entry.execution->poll();
  entry.job.progress = entry.execution->progress();
  new_data = (entry.job.cap && entry.read_decisions()) || new_data;
  if (const auto code = entry.execution->exit_code())
    finish(entry, *code);
  else if (new_data)
    changed(entry);
}

void Jobs::finish(Entry& entry, int exit_code) {
  Job& job = entry.job;
  const JobKind* kind = find_job_kind(job.command);
  const bool success = exit_code == kExitDone || exit_code == kExitClaimFailed;
  const bool stopped = entry.execution->stopping();
  job.state = success && !stopped                                        ? JobState::done
              : stopped && supervisor_.get_stop_token().stop_requested() ? JobState::interrupted
              : stopped                                                  ? JobState::cancelled
                                                                         : JobState::failed;
  job.exit_code = exit_code;
  job.ended = clock_.wall_now();
  job.progress.reset();
  job.message = job.state == JobState::failed ? as_utf8(entry.execution->last_message()) : "";
  job.resumable = job.state != JobState::done && kind != nullptr && kind->resumable;
  if (const auto text = read_file(folder_.document_of(job.id))) {
    job.result = true;
    job.simulated = is_simulated(*text);
  }
  entry.read_decisions();
  job.cap.reset();
  entry.execution.reset();
  [[maybe_unused]] const auto stored = folder_.store(job);  // on a full disk it stays in memory
  changed(entry);
}

void Jobs::changed(Entry& entry) const {
  ++entry.version;
  changed_.notify_all();
}

}  // namespace ergon::service
