#include "fleet/ingest.h"

#include <algorithm>
#include <atomic>
#include <deque>

#include "base/parallel.h"
#include "fleet/reading/log_source.h"
#include "fleet/reading/name_hash.h"

namespace ergon::fleet {
namespace {

// Rows may be this late in a log that is ordered.
constexpr Seconds kLateness{60};
constexpr std::size_t kMostEvents = 4096;

// An event and what became of it, until its turn to be told.
struct HeldTask {
  Event event;
  Joined joined;
};

class Ingest {
 public:
  Ingest(const Rules& rules, const Watch& watch, std::size_t workers, Vocabulary& words)
      : rules_(rules), watch_(watch), workers_(workers), words_(words), gathered_(workers) {}

  // What reading came to. Errors of reading leave as such.
  enum class Outcome : std::uint8_t { done, unordered };
  Result<Outcome> run(std::vector<std::unique_ptr<Source>>& sources, bool streaming);

  // Takes what was gathered.
  Tally tally(const std::vector<std::unique_ptr<Source>>& sources);

 private:
  bool scatter(const Batch& batch);
  Result<> advance(std::optional<Timestamp> known);
  void add_host(Tally& tally, const HostAccount& account, Code code) const;

  Rules rules_;
  const Watch& watch_;
  std::size_t workers_;
  Vocabulary& words_;
  std::deque<HostAccount> hosts_;
  std::vector<Gathered> gathered_;  // by worker
  RowCounts checkpoints_, samples_;
  const std::vector<std::unique_ptr<Source>>* sources_ = nullptr;
};

std::string task_name(const std::vector<std::unique_ptr<Source>>& sources, std::uint64_t place) {
  return utf8_name(sources[place >> kPlaceBits]->task_name(place));
}

std::string_view level_name(const Vocabulary& words, std::uint16_t level) {
  return level == 0 ? std::string_view{} : words.levels[level - 1U];
}

Result<Ingest::Outcome> Ingest::run(std::vector<std::unique_ptr<Source>>& sources, bool streaming) {
  sources_ = &sources;
  std::size_t total = 0;
  for (const auto& source : sources) total += source->size();
  for (;;) {
    if (watch_.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
    Source* behind = nullptr;  // whoever has not come as far as the others
    for (const auto& source : sources) {
      if (!source->done() && (behind == nullptr || source->reached() < behind->reached()))
        behind = source.get();
    }
    if (behind == nullptr) break;
    Batch batch;
    if (auto read = behind->read(batch); !read) return read.error();
    if (!scatter(batch)) return Outcome::unordered;
    if (words_.events.size() > kMostEvents)
      return fail(Errc::invalid_input,
                  "there are more than {} different events; is that the column of events?", kMostEvents);
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
    if (watch_.on_progress) watch_.on_progress(done, total);
  }
  if (auto finished = advance(std::nullopt); !finished) return finished.error();
  return Outcome::done;
}

// Gives rows to their hosts; false if one comes too late.
bool Ingest::scatter(const Batch& batch) {
  checkpoints_ += batch.checkpoint_counts;
  samples_ += batch.sample_counts;
  while (hosts_.size() < words_.hosts.size())
    hosts_.emplace_back(static_cast<Code>(hosts_.size()),
                        name_hash(words_.hosts[static_cast<Code>(hosts_.size())]), rules_, words_.events);
  std::vector<std::pair<Code, std::string_view>> gpus(words_.gpus.size());
  for (Code gpu = 0; gpu < gpus.size(); ++gpu) gpus[gpu] = {words_.gpus[gpu].host, words_.gpus.key(gpu)};
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

// Nothing at or before `known` will come any more; nothing at all without it.
Result<> Ingest::advance(std::optional<Timestamp> known) {
  std::vector<std::vector<HeldTask>> held(watch_.on_task ? hosts_.size() : 0);
  parallel_for(hosts_.size(), workers_, [&](std::size_t host, std::size_t worker) {
    HostAccount::OnTask on_task;
    if (!held.empty())
      on_task = [&](const Finished& each) {
        if (each.outermost) held[host].push_back({each.event, each.joined});
      };
    if (known) {
      hosts_[host].advance(*known, gathered_[worker], on_task);
    } else {
      hosts_[host].finish(gathered_[worker], on_task);
    }
  });
  for (std::size_t host = 0; host < held.size(); ++host) {
    for (const HeldTask& each : held[host]) {
      const std::string task = task_name(*sources_, each.event.place);
      const TaskRun run{words_.hosts[static_cast<Code>(host)], task,       words_.events[each.event.name],
                        level_name(words_, each.event.level),  each.event, each.joined};
      if (auto told = watch_.on_task(run); !told) return told;
    }
  }
  if (!held.empty()) {
    for (const auto& source : *sources_) source->forget();
  }
  return {};
}

void Ingest::add_host(Tally& tally, const HostAccount& account, Code code) const {
  HostTally& host = tally.hosts[std::string(words_.hosts[code])];
  const auto event_name = [&](std::uint16_t event) { return std::string(words_.events[event]); };
  for (const auto& [key, cell] : account.cells())
    host.cells[{event_name(key.first), std::string(level_name(words_, key.second))}] = cell;
  for (const auto& gpu : account.gpus()) {
    const Gpu& known = words_.gpus[gpu.code];
    host.gpus.push_back({known.uuid.empty() ? utf8_name(gpu.key) : known.uuid, known.serial, gpu.line.sums(),
                         gpu.line.activity(), gpu.line.history()});
  }
  for (const auto& [event, series] : account.series()) {
    if (const auto change = series.change()) host.changes[event_name(event)] = *change;
  }
  for (const Leftover& row : account.leftovers()) host.leftovers.push_back({event_name(row.name), row});
  for (LeftoverRow& each : host.leftovers) each.row.name = 0;  // a code of this run
  std::sort(host.leftovers.begin(), host.leftovers.end(), [](const LeftoverRow& a, const LeftoverRow& b) {
    return std::tie(a.row.at, a.event, a.row.task, a.row.start) <
           std::tie(b.row.at, b.event, b.row.task, b.row.start);
  });
  host.duplicates = account.pairing().duplicates();
}

Tally Ingest::tally(const std::vector<std::unique_ptr<Source>>& sources) {
  Tally tally;
  tally.rules = rules_;
  tally.checkpoints = checkpoints_;
  tally.samples = samples_;
  for (Code code = 0; code < hosts_.size(); ++code) add_host(tally, hosts_[code], code);
  Gathered all = std::move(gathered_.back());
  for (gathered_.pop_back(); !gathered_.empty(); gathered_.pop_back()) all.merge(gathered_.back());
  for (auto& [key, spread] : all.spreads)
    tally.spreads[{std::string(words_.events[key.first]), std::string(level_name(words_, key.second))}] =
        std::move(spread);
  for (const auto& [event, kept] : all.longest) {
    for (const LongEvent& each : kept)
      tally.longest.push_back(
          {std::string(words_.events[event]), std::string(level_name(words_, each.event.level)),
           std::string(words_.hosts[each.host.code]), task_name(sources, each.event.place), each.event.task,
           each.event.start, each.event.stop.ns - each.event.start.ns, each.energy});
  }
  keep_longest(tally.longest);
  for (Code job = 0; job < words_.jobs.size(); ++job) {
    if (!words_.jobs[job].empty()) tally.jobs.emplace(words_.jobs[job]);
  }
  tally.tasks = std::move(all.tasks);
  std::sort(tally.tasks.begin(), tally.tasks.end());
  tally.tasks.erase(std::unique(tally.tasks.begin(), tally.tasks.end()), tally.tasks.end());
  return tally;
}

}  // namespace

Result<Reading> read_fleet(const Inputs& inputs, const Rules& rules, const Watch& watch) {
  const std::size_t workers = worker_count(inputs.workers, SIZE_MAX);
  Vocabulary words;
  TaskLevels levels;
  if (inputs.tasks) {
    auto read = TaskLevels::read(*inputs.tasks, inputs.task_mapping, words.levels);
    if (!read) return read.error();
    levels = std::move(*read);
  }
  std::vector<std::unique_ptr<Source>> sources;
  for (const Log::Source& each : inputs.logs) {
    auto log = Log::open(each, inputs.zone_ns, watch.stop);
    if (!log) return log.error();
    LogSource::Setting setting;
    setting.workers = workers;
    setting.zone_ns = inputs.zone_ns;
    setting.number = sources.size();
    setting.stretch = std::max(setting.stretch / inputs.logs.size(), std::size_t{1} << 16);
    sources.push_back(std::make_unique<LogSource>(std::move(*log), words, levels, setting));
  }
  for (const auto& make : inputs.others) sources.push_back(make(words));

  Reading reading;
  reading.streamed = std::all_of(sources.begin(), sources.end(),
                                 [](const auto& source) { return source->seems_ordered(kLateness); });
  for (;;) {
    Ingest ingest(rules, watch, workers, words);
    const auto outcome = ingest.run(sources, reading.streamed);
    if (!outcome) return outcome.error();
    if (*outcome == Ingest::Outcome::done) {
      reading.tally = ingest.tally(sources);
      break;
    }
    reading.streamed = false;
    for (const auto& source : sources) source->rewind();
    if (watch.on_restart) {
      if (auto restarted = watch.on_restart(); !restarted) return restarted.error();
    }
  }
  for (const auto& source : sources) {
    for (std::string& remark : source->remarks()) reading.remarks.push_back(std::move(remark));
  }
  return reading;
}

}  // namespace ergon::fleet
