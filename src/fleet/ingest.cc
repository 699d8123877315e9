#include "fleet/ingest.h"

#include <algorithm>
#include <atomic>
#include <deque>

#include "base/parallel.h"
#include "fleet/reading/log_source.h"
#include "fleet/reading/name_hash.h"

namespace ergon::fleet {
namespace {

// A log counts as ordered by time if no row is later than this.
constexpr Seconds kLateness{60};
constexpr std::size_t kMaxEvents = 4096;

// A finished task that waits for its on_task call.
struct PendingTask {
  Event event;
  EventTelemetry telemetry;
};

class Ingest {
 public:
  Ingest(const AnalysisRules& rules, const IngestCallbacks& callbacks, std::size_t workers, NameTables& names)
      : rules_(rules), callbacks_(callbacks), workers_(workers), names_(names), accumulators_(workers) {}

  // unordered: a row arrived too late for streaming.
  enum class Outcome : std::uint8_t { done, unordered };
  Result<Outcome> run(std::vector<std::unique_ptr<TelemetrySource>>& sources, bool streaming);

  // Moves the totals out. Call once, after run().
  Tally tally(const std::vector<std::unique_ptr<TelemetrySource>>& sources);

 private:
  bool scatter(const RowBatch& batch);
  Result<> advance(std::optional<Timestamp> known);
  void add_host(Tally& tally, const HostAccount& account, Code code) const;
  bool is_simulated();

  AnalysisRules rules_;
  const IngestCallbacks& callbacks_;
  std::size_t workers_;
  NameTables& names_;
  std::deque<HostAccount> hosts_;
  std::vector<FleetAccumulator> accumulators_;  // by worker
  RowCounts checkpoints_, samples_;
  Code jobs_checked_ = 0;  // jobs below this code are not simulated
  const std::vector<std::unique_ptr<TelemetrySource>>* sources_ = nullptr;
};

std::string task_name(const std::vector<std::unique_ptr<TelemetrySource>>& sources,
                      std::uint64_t task_offset) {
  return utf8_name(sources[task_offset >> kOffsetBits]->task_name(task_offset));
}

std::string_view level_name(const NameTables& names, std::uint16_t level) {
  return level == 0 ? std::string_view{} : names.levels[level - 1U];
}

Result<Ingest::Outcome> Ingest::run(std::vector<std::unique_ptr<TelemetrySource>>& sources, bool streaming) {
  sources_ = &sources;
  std::size_t total = 0;
  for (const auto& source : sources) total += source->size();
  for (;;) {
    if (callbacks_.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    TelemetrySource* behind = nullptr;  // the source that has read least far in time
    for (const auto& source : sources) {
      if (!source->done() && (behind == nullptr || source->reached() < behind->reached()))
        behind = source.get();
    }
    if (behind == nullptr) break;
    RowBatch batch;
    if (auto read = behind->read(batch); !read) return read.error();
    if (!scatter(batch)) return Outcome::unordered;
    if (names_.events.size() > kMaxEvents)
      return fail(Errc::invalid_input,
                  "more than {} event names: --map-checkpoints event=COLUMN may name the wrong column",
                  kMaxEvents);
    if (streaming) {
      Timestamp reached{INT64_MAX};
      for (const auto& source : sources) {
        if (!source->done()) reached = std::min(reached, source->reached());
      }
      const auto late = static_cast<std::int64_t>(kLateness.si() * 1e9);
      if (reached.ns != INT64_MAX && reached.ns > INT64_MIN + late) {
        if (auto advanced = advance(Timestamp{reached.ns - late}); !advanced) return advanced.error();
      }
    }
    std::size_t done = 0;
    for (const auto& source : sources) done += source->position();
    if (callbacks_.on_progress) callbacks_.on_progress(done, total);
  }
  if (auto finished = advance(std::nullopt); !finished) return finished.error();
  return Outcome::done;
}

// Hands each row to its host. Returns false if a row is too late.
bool Ingest::scatter(const RowBatch& batch) {
  checkpoints_ += batch.checkpoint_counts;
  samples_ += batch.sample_counts;
  while (hosts_.size() < names_.hosts.size())
    hosts_.emplace_back(static_cast<Code>(hosts_.size()),
                        name_hash(names_.hosts[static_cast<Code>(hosts_.size())]), rules_, names_.events);
  std::vector<std::pair<Code, std::string_view>> gpus(names_.gpus.size());
  for (Code gpu = 0; gpu < gpus.size(); ++gpu) gpus[gpu] = {names_.gpus[gpu].host, names_.gpus.key(gpu)};
  std::atomic<bool> in_time{true};
  parallel_for(workers_, workers_, [&](std::size_t part, std::size_t) {
    bool all_in_time = true;
    for (const auto& rows : batch.checkpoints) {
      for (const Checkpoint& row : rows) {
        if (row.host % workers_ == part) all_in_time &= hosts_[row.host].add(row);
      }
    }
    for (const auto& rows : batch.samples) {
      for (const Sample& row : rows) {
        const auto& [host, key] = gpus[row.gpu];
        if (host % workers_ == part) all_in_time &= hosts_[host].add(row, key);
      }
    }
    if (!all_in_time) in_time = false;
  });
  return in_time;
}

// No later row is at or before `known`. Without a value, there are no more rows.
Result<> Ingest::advance(std::optional<Timestamp> known) {
  std::vector<std::vector<PendingTask>> pending(callbacks_.on_task ? hosts_.size() : 0);
  parallel_for(hosts_.size(), workers_, [&](std::size_t host, std::size_t worker) {
    HostAccount::OnTask on_task;
    if (!pending.empty())
      on_task = [&](const FinishedEvent& each) {
        if (each.outermost) pending[host].push_back({each.event, each.telemetry});
      };
    if (known) {
      hosts_[host].advance(*known, accumulators_[worker], on_task);
    } else {
      hosts_[host].finish(accumulators_[worker], on_task);
    }
  });
  const bool simulated = !pending.empty() && is_simulated();
  for (std::size_t host = 0; host < pending.size(); ++host) {
    for (const PendingTask& each : pending[host]) {
      const std::string task = task_name(*sources_, each.event.task_offset);
      const TaskRun run{names_.hosts[static_cast<Code>(host)],
                        task,
                        names_.events[each.event.name],
                        level_name(names_, each.event.level),
                        each.event,
                        each.telemetry,
                        simulated};
      if (auto reported = callbacks_.on_task(run); !reported) return reported;
    }
  }
  if (!pending.empty()) {
    for (const auto& source : *sources_) source->release_names();
  }
  return {};
}

// Whether a row that was read so far is marked as simulated, or belongs to a simulated job.
bool Ingest::is_simulated() {
  if (checkpoints_.simulated + samples_.simulated > 0) return true;
  for (; jobs_checked_ < names_.jobs.size(); ++jobs_checked_) {
    if (is_simulated_job(names_.jobs[jobs_checked_])) return true;
  }
  return false;
}

void Ingest::add_host(Tally& tally, const HostAccount& account, Code code) const {
  HostTally& host = tally.hosts[std::string(names_.hosts[code])];
  const auto event_name = [&](std::uint16_t event) { return std::string(names_.events[event]); };
  for (const auto& [key, totals] : account.event_totals())
    host.event_totals[{event_name(key.first), std::string(level_name(names_, key.second))}] = totals;
  for (const auto& gpu : account.gpus()) {
    const GpuRecord& known = names_.gpus[gpu.code];
    // nvidia-smi writes "[N/A]" for a GPU without a UUID.
    const bool has_uuid = !known.uuid.empty() && !known.uuid.starts_with('[') && known.uuid != "N/A";
    host.gpus.push_back({known.uuid.empty() ? utf8_name(gpu.key) : known.uuid, known.serial, has_uuid,
                         gpu.timeline.sums(), gpu.timeline.activity(), gpu.timeline.history()});
  }
  for (const auto& [event, series] : account.series()) {
    if (const auto change = series.change()) host.changes[event_name(event)] = *change;
  }
  for (const UnpairedCheckpoint& row : account.unpaired_checkpoints())
    host.unpaired_checkpoints.push_back({event_name(row.name), row});
  for (UnpairedRecord& each : host.unpaired_checkpoints)
    each.row.name = 0;  // codes are valid in this run only
  std::sort(host.unpaired_checkpoints.begin(), host.unpaired_checkpoints.end(),
            [](const UnpairedRecord& a, const UnpairedRecord& b) {
              return std::tie(a.row.at, a.event, a.row.task, a.row.start) <
                     std::tie(b.row.at, b.event, b.row.task, b.row.start);
            });
  host.duplicates = account.pairing().duplicates();
}

Tally Ingest::tally(const std::vector<std::unique_ptr<TelemetrySource>>& sources) {
  Tally tally;
  tally.rules = rules_;
  tally.checkpoints = checkpoints_;
  tally.samples = samples_;
  for (Code code = 0; code < hosts_.size(); ++code) add_host(tally, hosts_[code], code);
  FleetAccumulator all = std::move(accumulators_.back());
  for (accumulators_.pop_back(); !accumulators_.empty(); accumulators_.pop_back())
    all.merge(accumulators_.back());
  for (auto& [key, distribution] : all.distributions)
    tally
        .distributions[{std::string(names_.events[key.first]), std::string(level_name(names_, key.second))}] =
        std::move(distribution);
  for (const auto& [event, events] : all.longest) {
    for (const LongEvent& each : events)
      tally.longest.push_back(
          {std::string(names_.events[event]), std::string(level_name(names_, each.event.level)),
           std::string(names_.hosts[each.host.code]), task_name(sources, each.event.task_offset),
           each.event.task, each.event.start, each.event.stop.ns - each.event.start.ns, each.energy});
  }
  keep_longest(tally.longest);
  for (Code job = 0; job < names_.jobs.size(); ++job) {
    if (!names_.jobs[job].empty()) tally.jobs.emplace(names_.jobs[job]);
  }
  tally.simulated = is_simulated();
  tally.tasks = std::move(all.tasks);
  std::sort(tally.tasks.begin(), tally.tasks.end());
  tally.tasks.erase(std::unique(tally.tasks.begin(), tally.tasks.end()), tally.tasks.end());
  return tally;
}

}  // namespace

Result<IngestResult> read_fleet(const FleetInputs& inputs, const AnalysisRules& rules,
                                const IngestCallbacks& callbacks) {
  const std::size_t workers = worker_count(inputs.workers, SIZE_MAX);
  NameTables names;
  TaskLevels levels;
  if (inputs.tasks) {
    auto read = TaskLevels::read(*inputs.tasks, inputs.task_mapping, names.levels);
    if (!read) return read.error();
    levels = std::move(*read);
  }
  std::vector<std::unique_ptr<TelemetrySource>> sources;
  for (const LogInput& each : inputs.logs) {
    auto log = Log::open(each, inputs.zone_ns, callbacks.stop);
    if (!log) return log.error();
    LogSource::ReadOptions options;
    options.workers = workers;
    options.zone_ns = inputs.zone_ns;
    options.number = sources.size();
    options.chunk_bytes = std::max(options.chunk_bytes / inputs.logs.size(), std::size_t{1} << 16);
    sources.push_back(std::make_unique<LogSource>(std::move(*log), names, levels, options));
  }
  for (const auto& make : inputs.others) sources.push_back(make(names));

  IngestResult result;
  result.streamed = std::all_of(sources.begin(), sources.end(),
                                [](const auto& source) { return source->seems_ordered(kLateness); });
  for (;;) {
    Ingest ingest(rules, callbacks, workers, names);
    const auto outcome = ingest.run(sources, result.streamed);
    if (!outcome) return outcome.error();
    if (*outcome == Ingest::Outcome::done) {
      result.tally = ingest.tally(sources);
      break;
    }
    result.streamed = false;
    for (const auto& source : sources) source->rewind();
    if (callbacks.on_restart) {
      if (auto restarted = callbacks.on_restart(); !restarted) return restarted.error();
    }
  }
  for (const auto& source : sources) {
    for (std::string& warning : source->warnings()) result.warnings.push_back(std::move(warning));
  }
  return result;
}

}  // namespace ergon::fleet
