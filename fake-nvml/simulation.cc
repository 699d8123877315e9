#include "simulation.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/contract.h"
#include "base/text.h"

namespace ergon::fake_nvml {
namespace {

// Period of the check for ended processes, which reads one file of /proc per process.
constexpr std::int64_t kCheckPeriodNs = 20'000'000;
constexpr std::int64_t kDayNs = 86'400'000'000'000;

}  // namespace

Result<Simulation> Simulation::open(Scenario scenario, const std::filesystem::path& state) {
  // A new process replays all wall time since the start, so old simulations expire. Manual time does not pass
  // by itself.
  auto log = SharedLog::open(state, scenario.digest, !scenario.manual_time);
  if (!log) return log.error();
  Simulation simulation(std::move(scenario), std::move(*log));
  simulation.make_gpus();
  if (auto refreshed = simulation.refresh(true); !refreshed) return refreshed.error();
  return simulation;
}

void Simulation::make_gpus() {
  gpus_.clear();
  now_ns_ = 0;
  broken_.reset();
  for (std::size_t i = 0; i < scenario_.slots.size(); ++i) {
    std::vector<Background> background;
    for (const Background& each : scenario_.background) {
      if (each.gpu == i) background.push_back(each);
    }
    std::vector<StuckReading> stuck;
    for (const StuckReading& each : scenario_.faults.stuck) {
      if (each.gpu.value_or(i) == i) stuck.push_back(each);
    }
    gpus_.emplace_back(scenario_.slots[i], std::move(background), stuck);
  }
}

Result<> Simulation::replay(const Record& record) {
  if (record.command == Command::advance) {
    now_ns_ = std::max(now_ns_, record.time_ns) + record.first;
    return {};
  }
  if (record.gpu >= gpus_.size()) return fail(Errc::invalid_input, "no GPU {}", record.gpu);
  now_ns_ = std::max(now_ns_, record.time_ns);
  return gpus_[record.gpu].apply(record);
}

Result<> Simulation::replay(const SharedLog::LogUpdate& update) {
  if (update.restarted) make_gpus();
  if (broken_) return *broken_;
  for (const std::string_view line : split(update.lines, '\n')) {
    if (line.empty()) continue;
    const auto record = parse_line(line);
    const auto replayed = record ? replay(*record) : Result<>(record.error());
    if (!replayed) return broken_ = replayed.error().in(log_.path().string()), *broken_;
  }
  if (!scenario_.manual_time) now_ns_ = std::max(now_ns_, update.now_ns);
  return {};
}

Result<> Simulation::refresh(bool thorough) {
  const auto update = log_.read();
  if (!update) return update.error();
  if (auto replayed = replay(*update); !replayed) return replayed;
  return close_orphaned_contexts(thorough);
}

Gpu& Simulation::gpu(std::size_t index) {
  ERGON_EXPECTS(index < gpus_.size());
  gpus_[index].advance_to(now_ns_);
  return gpus_[index];
}

Result<> Simulation::commit(Record record) {
  // Slow work is done before taking the lock.
  if (auto refreshed = refresh(); !refreshed) return refreshed;
  if (record.command == Command::run) {
    if (auto fits = gpus_[record.gpu].prepare(record.load); !fits) return fits;
  }
  auto lock = log_.lock_for_writing();
  if (!lock) return lock.error();
  if (auto replayed = replay(lock->update); !replayed) return replayed;
  record.time_ns = now_ns_;
  if (auto written = lock->append(to_line(record)); !written) return written;
  return replay(record);
}

Result<> Simulation::advance(std::int64_t by_ns) {
  if (!scenario_.manual_time) return fail(Errc::unsupported, "time is not manual in this scenario");
  if (by_ns < 0 || by_ns > kDayNs)
    return fail(Errc::invalid_input, "cannot advance by {} ns; at most one day at once", by_ns);
  return commit({.command = Command::advance, .owner = this_process(), .first = by_ns});
}

Result<> Simulation::restart() {
  {
    auto lock = log_.lock_for_writing();
    if (!lock) return lock.error();
    if (auto begun = lock->restart(); !begun) return begun;
  }
  return refresh();
}

// Closes the contexts of processes that ended without closing them.
Result<> Simulation::close_orphaned_contexts(bool thorough) {
  const std::int64_t now = SystemClock().now().ns;
  if (!thorough && now - checked_ns_ < kCheckPeriodNs) return {};
  checked_ns_ = now;
  std::vector<std::pair<std::size_t, Owner>> gone;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    for (const Context& context : gpus_[i].contexts()) {
      if (!is_alive(context.owner)) gone.emplace_back(i, context.owner);
    }
  }
  for (const auto& [gpu, owner] : gone) {
    auto closed = commit({.command = Command::close_context, .gpu = gpu, .owner = owner});
    if (!closed) return closed;
  }
  return {};
}

}  // namespace ergon::fake_nvml
