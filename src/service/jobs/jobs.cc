#include "service/jobs/jobs.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/file.h"
#include "service/jobs/decision_lines.h"
#include "service/jobs/job_kind.h"
#include "service/jobs/job_run.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRunning = 4;
constexpr std::size_t kMostJobs = 1000;
constexpr std::chrono::milliseconds kGlance{50};
// For commands to put back what they changed, when the server ends.
constexpr std::chrono::seconds kLastWait{10};

std::chrono::nanoseconds nanoseconds_of(Seconds time) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(time.si() * 1e9));
}

Result<std::vector<JobStep>> steps_of(const Job& job, const std::filesystem::path& folder) {
  const JobKind* kind = find_job_kind(job.command);
  if (kind == nullptr) return fail(Errc::invalid_input, "there is no job \"{}\"", job.command);
  const auto fields = fields_of_json(job.options.dump());
  if (!fields) return fields.error();
  return job_steps(*kind, *fields, folder);
}

// With a sign in place of whatever is no UTF-8.
std::string as_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

bool says_simulated(const std::string& document) {
  const auto json = Json::parse(document, nullptr, false);
  const Json::json_pointer place("/provenance/simulated");
  return json.is_object() && json.contains(place) && json[place].is_boolean() && json[place].get<bool>();
}

}  // namespace

struct Jobs::Entry {
  Entry(Job its, const std::filesystem::path& folder) : job(std::move(its)), log(folder / kDecisionFile) {}

  Job job;
  std::unique_ptr<JobRun> run;
  std::uint64_t version = 1;
  LineTail log;
  DecisionLines lines;
  std::vector<std::string> decisions;  // JSON texts
  std::uint64_t violations = 0;

  // True: there were more.
  bool read_decisions() {
    const std::size_t before = decisions.size();
    for (const std::string& line : log.more()) {
      const auto decision = lines.read(line);
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
      job.message = "the server ended before it";
      const JobKind* kind = find_job_kind(job.command);
      job.resumable = kind != nullptr && kind->resumable;
      [[maybe_unused]] const auto kept = folder_.keep(job);  // it is interrupted in any case
    }
    const std::string id = job.id;
    entries_[id] = std::make_unique<Entry>(std::move(job), folder_.of(id));
  }
  // The commands live no longer than this thread.
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
  if (found == entries_.end()) return fail(Errc::not_found, "there is no such job");
  return found->second.get();
}

Result<Job> Jobs::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  return (*found)->job;
}

// Commands on one device one after the other; not too many in all.
Result<> Jobs::check_room(const Job& job) const {
  std::size_t running = 0;
  for (const auto& [id, entry] : entries_) {
    if (!entry->job.running()) continue;
    ++running;
    const bool caps = job.command == "cap" && entry->job.command == "cap";
    if (caps && option_text(entry->job, "device") == option_text(job, "device"))
      return fail(Errc::busy, "a cap is being held on that device already: {}", id);
  }
  if (running >= kMostRunning)
    return fail(Errc::busy, "{} jobs are running, which is all that may at once", running);
  if (entries_.size() >= kMostJobs)
    return fail(Errc::busy, "{} jobs are kept, which is all there may be; delete some", entries_.size());
  return {};
}

Result<Job> Jobs::start(std::string_view command, const Json& options) {
  const JobKind* kind = find_job_kind(command);
  if (kind == nullptr) {
    std::vector<std::string_view> names;
    for (const JobKind& each : job_kinds()) names.push_back(each.command);
    return fail(Errc::invalid_input, "command has to be one of {}", fmt::join(names, ", "));
  }
  const auto fields = fields_of_json(options.dump());
  if (!fields) return fields.error();
  Job job;
  job.command = command;
  job.options = options;
  job.title = job_title(*kind, *fields);
  job.created = clock_.wall_now();
  job.simulated = simulated_for_sure(*kind, *fields);
  if (const auto fine = job_steps(*kind, *fields, "."); !fine) return fine.error();
  if (kind->capped) {
    const auto watts = options.find("watts");
    if (watts == options.end() || !watts->is_number())
      return fail(Errc::invalid_input, "watts has to be a number");
    job.cap = Watts{watts->get<double>()};
    if (!(*job.cap > Watts{0})) return fail(Errc::invalid_input, "watts has to be more than 0");
  }
  const std::lock_guard lock(mutex_);
  if (auto room = check_room(job); !room) return room.error();
  auto id = folder_.make(command, job.created);
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

// The supervisor starts it.
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
  if (auto kept = folder_.keep(job); !kept) return kept;
  entry.run = std::make_unique<JobRun>(program_, std::move(*steps), folder_.of(job.id));
  changed(entry);
  return {};
}

Result<Job> Jobs::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  if ((*found)->run) (*found)->run->stop();
  return (*found)->job;
}

Result<Job> Jobs::resume(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  Entry& entry = **found;
  if (entry.job.running()) return fail(Errc::invalid_input, "it is running");
  if (!entry.job.resumable) return fail(Errc::invalid_input, "it cannot go on; start another");
  if (auto room = check_room(entry.job); !room) return room.error();
  if (auto begun = begin(entry); !begun) return begun.error();
  return entry.job;
}

Result<> Jobs::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = entry(id);
  if (!found) return found.error();
  if ((*found)->job.running()) return fail(Errc::invalid_input, "it is running; cancel it first");
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
  if (!entry.job.running() || !entry.job.cap) return fail(Errc::invalid_input, "no cap is being held by it");
  if (!(cap > Watts{0})) return fail(Errc::invalid_input, "watts has to be more than 0");
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
  if (!text) return fail(Errc::not_found, "this job has no result");
  return text;
}

Result<Jobs::News> Jobs::follow(const std::string& id, std::uint64_t version_seen, std::size_t decisions_seen,
                                Seconds patience) const {
  std::unique_lock lock(mutex_);
  const auto until = std::chrono::steady_clock::now() + nanoseconds_of(patience);
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
    News news;
    if (entry.version != version_seen) news.job = entry.job;
    for (std::size_t i = decisions_seen; i < entry.decisions.size(); ++i)
      news.decisions.push_back(entry.decisions[i]);
    news.version = entry.version;
    news.over = !entry.job.running();
    return news;
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
  std::optional<std::chrono::steady_clock::time_point> patience;
  while (true) {
    bool busy = false;
    {
      const std::lock_guard lock(mutex_);
      for (auto& [id, entry] : entries_) {
        if (!entry->run) continue;
        if (stop.stop_requested()) entry->run->stop();
        if (patience && std::chrono::steady_clock::now() > *patience) entry->run->kill();
        look_after(*entry);
        busy = busy || entry->run;
      }
    }
    if (stop.stop_requested() && !busy) return;
    if (stop.stop_requested() && !patience) patience = std::chrono::steady_clock::now() + kLastWait;
    std::this_thread::sleep_for(kGlance);
  }
}

void Jobs::look_after(Entry& entry) {
  bool news = entry.run->look();
  entry.job.progress = entry.run->progress();
  news = (entry.job.cap && entry.read_decisions()) || news;
  if (const auto code = entry.run->exit_code())
    finish(entry, *code);
  else if (news)
    changed(entry);
}

void Jobs::finish(Entry& entry, int exit_code) {
  Job& job = entry.job;
  const JobKind* kind = find_job_kind(job.command);
  const bool success = exit_code == kExitDone || exit_code == kExitClaimFailed;
  const bool stopped = entry.run->stopping();
  job.state = success && !stopped                                        ? JobState::done
              : stopped && supervisor_.get_stop_token().stop_requested() ? JobState::interrupted
              : stopped                                                  ? JobState::cancelled
                                                                         : JobState::failed;
  job.exit_code = exit_code;
  job.ended = clock_.wall_now();
  job.progress.reset();
  job.message = job.state == JobState::failed ? as_utf8(entry.run->last_words()) : "";
  job.resumable = job.state != JobState::done && kind != nullptr && kind->resumable;
  if (const auto text = read_file(folder_.document_of(job.id))) {
    job.result = true;
    job.simulated = says_simulated(*text);
  }
  entry.read_decisions();
  job.cap.reset();
  entry.run.reset();
  [[maybe_unused]] const auto kept = folder_.keep(job);  // a full disk: it is known until the server ends
  changed(entry);
}

void Jobs::changed(Entry& entry) const {
  ++entry.version;
  changed_.notify_all();
}

}  // namespace ergon::service
