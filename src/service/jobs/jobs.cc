#include "service/jobs/jobs.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <tuple>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "base/units_text.h"
#include "service/jobs/document_summary.h"
#include "service/jobs/failure_reason.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/job_size.h"
#include "service/jobs/jobs_entry.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxMessage = 2000;
constexpr Watts kMaxCap{100e3};  // of `ergon cap`
constexpr std::string_view kInterrupted = "the server ended while the job ran";

std::chrono::nanoseconds nanoseconds_of(Seconds time) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(time.si() * 1e9));
}

// Replaces invalid UTF-8.
std::string as_utf8(const std::string& text) {
  return parse_json<Json>(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
      .value_or("")
      .get<std::string>();
}

// The end, which tells most, of a long message.
std::string last_part(const std::string& message) {
  return message.size() <= kMaxMessage ? message : "... " + message.substr(message.size() - kMaxMessage);
}

Result<> check_cap(Watts cap) {
  if (!(cap > Watts{0})) return fail(Errc::invalid_input, "watts must be greater than 0");
  if (cap > kMaxCap) return fail(Errc::invalid_input, "watts is above the maximum cap, {}", to_text(kMaxCap));
  return {};
}

bool is_resumable(const Job& job) {
  const JobKind* kind = find_job_kind(job.command);
  return kind != nullptr && kind->resumable;
}

// The cap of a queued cap job, which may have been changed while it waited.
std::optional<Watts> stored_cap(const Job& job, const std::filesystem::path& folder) {
  const JobKind* kind = find_job_kind(job.command);
  if (kind == nullptr || !kind->capped) return std::nullopt;
  if (const auto text = read_file(folder / kCapFile)) {
    if (const auto cap = parse_quantity<Watts>(trim(*text), "")) return *cap;
  }
  const auto watts = job.options.find("watts");
  return watts != job.options.end() && watts->is_number() ? std::optional(Watts{watts->get<double>()})
                                                          : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Jobs>> Jobs::open(const std::filesystem::path& folder, const std::string& program,
                                         const Clock& clock, const JobLimits& limits, CheckCommand check) {
  auto opened = JobFolder::open(folder);
  if (!opened) return opened.error();
  return std::unique_ptr<Jobs>(new Jobs(std::move(*opened), program, clock, limits, std::move(check)));
}

Jobs::Jobs(JobFolder folder, std::string program, const Clock& clock, const JobLimits& limits,
           CheckCommand check)
    : folder_(std::move(folder)),
      program_(std::move(program)),
      clock_(clock),
      limits_(limits),
      check_(std::move(check)),
      results_size_(folder_.path()) {
  std::vector<Job> loaded = folder_.load();
  std::sort(loaded.begin(), loaded.end(),
            [](const Job& a, const Job& b) { return std::tie(a.created, a.id) < std::tie(b.created, b.id); });
  for (Job& job : loaded) {
    if (job.running()) {
      job.state = JobState::interrupted;
      job.ended = clock_.wall_now();
      job.message = kInterrupted;
      job.resumable = is_resumable(job);
      [[maybe_unused]] const auto stored = folder_.store(job);  // interrupted even if this fails
    }
    const std::string id = job.id;
    if (job.state == JobState::queued) {
      job.cap = stored_cap(job, folder_.of(id));
      queue_.push_back(id);
    }
    entries_[id] = std::make_unique<Entry>(std::move(job), folder_.of(id));
  }
  // The commands end with this thread (see Process).
  supervisor_ = std::jthread([this](const std::stop_token& stop) { supervise(stop); });
}

Jobs::~Jobs() {
  supervisor_.request_stop();
  supervisor_.join();
}

std::vector<std::string> Jobs::ids() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Job*> jobs;
  for (const auto& [id, entry] : entries_) jobs.push_back(&entry->job);
  std::sort(jobs.begin(), jobs.end(), [](const Job* a, const Job* b) { return a->created > b->created; });
  std::vector<std::string> all;
  for (const Job* job : jobs) all.push_back(job->id);
  return all;
}

std::vector<JobState> Jobs::states() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobState> all;
  for (const auto& [id, entry] : entries_) all.push_back(entry->job.state);
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

Result<Job> Jobs::start(std::string_view command, const Json& options) {
  const JobKind* kind = find_job_kind(command);
  if (kind == nullptr) {
    std::vector<std::string_view> names;
    for (const JobKind& each : job_kinds()) names.push_back(each.command);
    return fail(Errc::invalid_input, "\"{}\" is not a job command; expected one of {}", command,
                fmt::join(names, ", "));
  }
  const auto accepted = options_to_store(*kind, options);
  if (!accepted) return accepted.error();
  const auto fields = fields_of_json(accepted->dump());
  if (!fields) return fields.error();
  Job job;
  job.command = command;
  job.options = *accepted;
  job.title = job_title(*kind, *fields);
  job.state = JobState::queued;
  job.created = clock_.wall_now();
  job.simulated = known_simulated(*kind, *fields);
  const auto steps = job_steps(*kind, *fields, ".");
  if (!steps) return steps.error();
  if (auto fine = check_size(*kind, *fields, limits_); !fine) return fine.error();
  if (kind->capped) {
    const auto watts = job.options.find("watts");
    if (watts == job.options.end() || !watts->is_number())
      return fail(Errc::invalid_input, "watts is not a number");
    job.cap = Watts{watts->get<double>()};
    if (auto fine = check_cap(*job.cap); !fine) return fine.error();
  }
  for (const JobStep& step : *steps) {
    if (!check_) break;
    if (auto fine = check_(step.words); !fine) return fine.error();
  }
  if (auto fine = check_quota(); !fine) return fine.error();
  const std::lock_guard lock(mutex_);
  if (auto fine = check_limits(job); !fine) return fine.error();
  if (entries_.size() >= limits_.stored)
    return fail(Errc::busy, "{} jobs are stored, which is the limit; delete some", entries_.size());
  auto id = folder_.create(command, job.created);
  if (!id) return id.error();
  job.id = *id;
  auto made = std::make_unique<Entry>(std::move(job), folder_.of(*id));
  Entry& entry = *made;
  entries_[*id] = std::move(made);
  if (auto placed = begin_or_queue(entry); !placed) {
    entries_.erase(*id);
    [[maybe_unused]] const auto removed = folder_.remove(*id);
    return placed.error();
  }
  return entry.job;
}

Result<Job> Jobs::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  Entry& entry = **found;
  if (entry.execution) entry.execution->stop();
  if (entry.job.state == JobState::queued) {
    std::erase(queue_, id);
    entry.job.state = JobState::cancelled;
    entry.job.ended = clock_.wall_now();
    entry.job.message.clear();
    entry.job.cap.reset();
    entry.job.resumable = is_resumable(entry.job);
    [[maybe_unused]] const auto stored = folder_.store(entry.job);  // on a full disk it stays in memory
    changed(entry);
  }
  return entry.job;
}

Result<Job> Jobs::resume(const std::string& id) {
  const auto space = check_quota();
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  Entry& entry = **found;
  if (entry.job.active()) return fail(Errc::invalid_input, "the job is {}", name_of(entry.job.state));
  if (!entry.job.resumable) return fail(Errc::invalid_input, "this job cannot be resumed; start a new one");
  if (!space) return space.error();
  if (auto fine = check_limits(entry.job); !fine) return fine.error();
  if (auto placed = begin_or_queue(entry); !placed) return placed.error();
  return entry.job;
}

Result<> Jobs::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  const Job& job = (*found)->job;
  if (job.active()) return fail(Errc::invalid_input, "the job is {}; cancel it first", name_of(job.state));
  if (auto removed = folder_.remove(id); !removed) return removed;
  entries_.erase(id);
  results_size_.forget();
  changed_.notify_all();
  return {};
}

Result<Job> Jobs::set_cap(const std::string& id, Watts cap) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  Entry& entry = **found;
  if (!entry.job.active() || !entry.job.cap) return fail(Errc::invalid_input, "this job holds no cap");
  if (auto fine = check_cap(cap); !fine) return fine.error();
  if (auto written = write_file(folder_.of(id) / kCapFile, fmt::format("{}W\n", cap.si())); !written)
    return written.error();
  entry.job.cap = cap;
  changed(entry);
  return entry.job;
}

Result<std::filesystem::path> Jobs::result_file(const std::string& id) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = entry(id); !found) return found.error();
  }
  const std::filesystem::path file = folder_.document_of(id);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return fail(Errc::not_found, "the job has no result");
  return file;
}

Result<Jobs::Cursor> Jobs::cursor(const std::string& id, std::uint64_t decisions_seen) const {
  const std::lock_guard lock(mutex_);
  if (const auto found = entry(id); !found) return found.error();
  return Cursor{id, DecisionLog(folder_.of(id) / kDecisionFile, decisions_seen)};
}

Result<Jobs::JobUpdate> Jobs::follow(Cursor& cursor, Seconds timeout, const std::stop_token& stop) const {
  JobUpdate update;
  std::uint64_t version = 0;
  bool ended = false;
  {
    std::unique_lock lock(mutex_);
    const auto until = std::chrono::steady_clock::now() + nanoseconds_of(timeout);
    changed_.wait_until(lock, stop, until, [&] {
      const auto found = entry(cursor.id);
      return !found || (*found)->version != cursor.version || !(*found)->job.active() ||
             !cursor.decisions.at_end();
    });
    const auto found = entry(cursor.id);
    if (!found) return found.error();
    version = (*found)->version;
    ended = !(*found)->job.active();
    if (version != cursor.version) update.job = (*found)->job;
  }
  // Without the lock, as other requests need it. An ended job writes no more, so its end is that of the log.
  cursor.decisions.read([&](const Json& decision) {
    update.decisions.push_back(decision.dump(-1, ' ', false, Json::error_handler_t::replace));
  });
  if (cursor.decisions.at_end()) {
    cursor.version = version;
    update.over = ended;
  } else {
    update.job.reset();
  }
  return update;
}

std::vector<HeldCap> Jobs::held_caps() const {
  const std::lock_guard lock(mutex_);
  std::vector<HeldCap> held;
  for (const auto& [id, entry] : entries_) {
    if (entry->job.running() && entry->job.cap && entry->decisions > 0)
      held.push_back({entry->job, entry->last_decision, entry->decisions, entry->violations});
  }
  return held;
}

std::string Jobs::reason_of(const Entry& entry, int exit_code) const {
  if (!entry.excess.empty()) return entry.excess;
  const JobExecution& execution = *entry.execution;
  if (execution.failed_signal() == SIGXFSZ) return disk_message("a file", max_file_of(limits_), limits_);
  return failure_reason(exit_code, execution.failed_signal(), execution.last_message());
}

void Jobs::finish(Entry& entry, int exit_code) {
  Job& job = entry.job;
  const bool success = exit_code == kExitDone || exit_code == kExitClaimFailed;
  const bool stopped = entry.execution->stopping();
  job.state = !entry.excess.empty()                                      ? JobState::failed
              : success && !stopped                                      ? JobState::done
              : stopped && supervisor_.get_stop_token().stop_requested() ? JobState::interrupted
              : stopped                                                  ? JobState::cancelled
                                                                         : JobState::failed;
  job.exit_code = exit_code;
  job.ended = clock_.wall_now();
  job.progress.reset();
  job.message = job.state == JobState::failed        ? as_utf8(last_part(reason_of(entry, exit_code)))
                : job.state == JobState::interrupted ? std::string(kInterrupted)
                                                     : "";
  job.resumable = job.state != JobState::done && is_resumable(job);
  const std::filesystem::path document = folder_.document_of(job.id);
  std::error_code error;
  if (std::filesystem::is_regular_file(document, error)) {
    job.result = true;
    const auto summary = summary_of_document(document);
    job.simulated = summary && summary->simulated;
  }
  job.cap.reset();
  entry.execution.reset();
  entry.monitor.reset();
  results_size_.forget();
  [[maybe_unused]] const auto stored = folder_.store(job);  // on a full disk it stays in memory
  changed(entry);
}

void Jobs::changed(Entry& entry) const {
  ++entry.version;
  changed_.notify_all();
}

}  // namespace ergon::service
