// The queue and the supervisor thread of Jobs: it starts commands, watches their limits and notices their
// end.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "service/jobs/jobs_entry.h"

namespace ergon::service {
namespace {

constexpr std::chrono::milliseconds kJobPollPeriod{50};
// Time for commands to restore devices when the server ends.
constexpr std::chrono::seconds kStopTimeout{10};

Result<std::vector<JobStep>> steps_of(const Job& job, const std::filesystem::path& folder) {
  const JobKind* kind = find_job_kind(job.command);
  if (kind == nullptr) return fail(Errc::invalid_input, "\"{}\" cannot run as a job", job.command);
  const auto fields = fields_of_json(job.options.dump());
  if (!fields) return fields.error();
  return job_steps(*kind, *fields, folder);
}

void prepare(Job& job, JobState state) {
  job.state = state;
  job.ended.reset();
  job.exit_code.reset();
  job.message.clear();
  job.resumable = false;
}

}  // namespace

std::size_t Jobs::running_jobs() const {
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(),
                                                [](const auto& each) { return each.second->job.running(); }));
}

bool Jobs::queue_full() const {
  const std::lock_guard lock(mutex_);
  return queue_.size() >= limits_.queued;
}

// One cap per device, and the length of the queue.
Result<> Jobs::check_limits(const Job& job) const {
  for (const auto& [id, entry] : entries_) {
    if (!entry->job.active()) continue;
    const bool caps = job.command == "cap" && entry->job.command == "cap";
    if (caps && option_text(entry->job, "device") == option_text(job, "device"))
      return fail(Errc::busy, "job {} already holds a cap on this device; cancel it first", id);
  }
  if (queue_.size() < limits_.queued) return {};
  return fail(Errc::busy, "{} jobs are queued, which is the limit; wait, or cancel one", queue_.size());
}

Result<> Jobs::check_quota() const {
  const Bytes size = results_size_.read();
  if (size <= limits_.results) return {};
  return fail(Errc::out_of_memory, "{}", quota_message(size, limits_));
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
  prepare(job, JobState::running);
  if (auto stored = folder_.store(job); !stored) return stored;
  entry.execution = std::make_unique<JobExecution>(program_, std::move(*steps), folder_.of(job.id), limits_);
  entry.monitor.emplace(limits_, folder_.of(job.id), clock_.now());
  entry.excess.clear();
  changed(entry);
  return {};
}

Result<> Jobs::begin_or_queue(Entry& entry) {
  if (queue_.empty() && running_jobs() < limits_.running) return begin(entry);
  prepare(entry.job, JobState::queued);
  if (auto stored = folder_.store(entry.job); !stored) return stored;
  queue_.push_back(entry.job.id);
  changed(entry);
  return {};
}

// `storage`: why no job can start; empty if jobs can start.
void Jobs::begin_queued(const std::string& storage) {
  while (storage.empty() && !queue_.empty() && running_jobs() < limits_.running) {
    Entry& entry = *entries_.at(queue_.front());
    queue_.pop_front();
    const auto begun = begin(entry);
    if (begun) continue;
    entry.job.state = JobState::failed;
    entry.job.ended = clock_.wall_now();
    entry.job.message = begun.error().message;
    entry.job.cap.reset();
    [[maybe_unused]] const auto stored = folder_.store(entry.job);  // on a full disk it stays in memory
    changed(entry);
  }
  for (const std::string& id : queue_) {
    Entry& entry = *entries_.at(id);
    const std::string message = storage.empty() ? "" : "waits: " + storage;
    if (entry.job.message == message) continue;
    entry.job.message = message;
    changed(entry);
  }
}

void Jobs::supervise(const std::stop_token& stop) {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  bool active = true;
  while (true) {
    const bool ending = stop.stop_requested();
    // Without the lock, because it may take long.
    const auto space = active && !ending ? check_quota() : Result<>();
    const std::string storage = space ? "" : space.error().message;
    bool running = false;
    {
      const std::lock_guard lock(mutex_);
      for (auto& [id, entry] : entries_) {
        if (!entry->execution) continue;
        if (ending) entry->execution->stop();
        if (deadline && std::chrono::steady_clock::now() > *deadline) entry->execution->kill();
        poll(*entry);
        running = running || entry->execution;
      }
      if (!storage.empty()) stop_largest("stopped: " + storage);
      if (!ending) begin_queued(storage);
      active = running || !queue_.empty() || running_jobs() > 0;
    }
    if (ending && !running) return;
    if (ending && !deadline) deadline = std::chrono::steady_clock::now() + kStopTimeout;
    std::this_thread::sleep_for(kJobPollPeriod);
  }
}

void Jobs::poll(Entry& entry) {
  bool new_data = entry.execution->poll();
  entry.job.progress = entry.execution->progress();
  new_data = (entry.job.cap && entry.read_decisions()) || new_data;
  if (const auto code = entry.execution->exit_code()) {
    finish(entry, *code);
    return;
  }
  if (new_data) changed(entry);
  const auto excess = entry.monitor->check(entry.execution->group(), clock_.now());
  if (!excess) return;
  if (!entry.execution->stopping())
    stop_for(entry, excess->message);
  else if (excess->urgent)
    entry.execution->kill();
}

void Jobs::stop_for(Entry& entry, const std::string& excess) {
  entry.excess = excess;
  entry.execution->stop();
}

// When the results folder is full. One job at a time, because its end may free enough.
void Jobs::stop_largest(const std::string& excess) {
  Entry* largest = nullptr;
  for (auto& [id, entry] : entries_) {
    if (!entry->execution) continue;
    if (entry->execution->stopping()) return;
    if (largest == nullptr || entry->monitor->disk() > largest->monitor->disk()) largest = entry.get();
  }
  if (largest != nullptr) stop_for(*largest, excess);
}

}  // namespace ergon::service
