#include "gpu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/contract.h"
#include "base/si_prefixes.h"

namespace ergon::fake_nvml {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// Whether a periodic background load is on, and until when.
struct DutyPhase {
  bool on;
  std::int64_t until_ns;
};
DutyPhase duty_phase_at(const Background& plan, std::int64_t time_ns) {
  if (!plan.on) return {true, kNever};
  const std::int64_t on = device::nanoseconds(*plan.on), off = device::nanoseconds(*plan.off);
  const std::int64_t round = time_ns / (on + off) * (on + off), into = time_ns - round;
  return into < on ? DutyPhase{true, round + on} : DutyPhase{false, round + on + off};
}

}  // namespace

unsigned whole_mhz(Hertz clock) { return static_cast<unsigned>(clock.si() / kMega + 1e-6); }

Gpu::Gpu(const DeviceSlot& slot, std::vector<Background> background, const std::vector<StuckReading>& stuck)
    : twin_(slot.gpu, slot.seed), next_ns_(kNever) {
  twin_.follow(Instant{});
  for (Background& plan : background) {
    auto load = place_load(plan.load, slot.gpu);
    ERGON_EXPECTS(load);  // parse_scenario() has checked it
    background_.push_back({std::move(plan), std::move(*load), false});
  }
  for (const StuckReading& each : stuck) {
    freezes_.push_back({each.reading, device::nanoseconds(each.from), std::nullopt});
  }
  process_due(0);
}

// Updates background loads and stuck sensors.
void Gpu::process_due(std::int64_t time_ns) {
  next_ns_ = kNever;
  for (BackgroundState& each : background_) {
    const DutyPhase phase = duty_phase_at(each.plan, time_ns);
    each.on = phase.on;
    next_ns_ = std::min(next_ns_, phase.until_ns);
  }
  update_load();
  for (Freeze& each : freezes_) {
    if (each.twin) continue;
    if (each.from_ns <= time_ns) each.twin = twin_;
    if (!each.twin) next_ns_ = std::min(next_ns_, each.from_ns);
  }
}

void Gpu::advance_to(std::int64_t time_ns) {
  while (next_ns_ <= time_ns) {
    twin_.follow(Instant{next_ns_});
    process_due(next_ns_);
  }
  twin_.follow(Instant{time_ns});
}

const device::Twin& Gpu::twin_for(SensorField reading) const {
  for (const Freeze& each : freezes_) {
    if (each.reading == reading && each.twin) return *each.twin;
  }
  return twin_;
}

Context* Gpu::context_of(const Owner& owner) {
  const auto found =
      std::find_if(contexts_.begin(), contexts_.end(), [&](const auto& c) { return c.owner == owner; });
  return found == contexts_.end() ? nullptr : &*found;
}

Context& Gpu::opened_by(const Owner& owner) {
  if (Context* const found = context_of(owner)) return *found;
  return contexts_.emplace_back(Context{owner, std::nullopt});
}

void Gpu::close(const Owner& owner) {
  std::erase_if(contexts_, [&](const Context& each) { return each.owner == owner; });
}

Result<> Gpu::prepare(const LoadSpec& name) {
  if (loads_.contains(to_text(name))) return {};
  auto made = place_load(name, specification());
  if (!made) return made.error();
  loads_[to_text(name)] = std::move(*made);
  return {};
}

// Adds a job; the newest is last.
Result<> Gpu::begin_job(const Record& record) {
  if (auto prepared = prepare(record.load); !prepared) return prepared;
  close(record.owner);
  Context::Job job{record.load, loads_[to_text(record.load)], std::nullopt};
  if (record.first >= 0) job.left = static_cast<double>(record.first);
  contexts_.push_back({record.owner, std::move(job)});
  if (running_owner_ == record.owner) running_.reset();  // restarts the same load
  return {};
}

// Starts the load that should run now, unless it already runs.
void Gpu::update_load() {
  const auto job =
      std::find_if(contexts_.rbegin(), contexts_.rend(), [](const auto& each) { return each.job; });
  std::shared_ptr<const device::Load> load;
  std::optional<Owner> owner;
  std::optional<double> left;
  if (job != contexts_.rend()) {
    load = job->job->load.load;
    owner = job->owner;
    left = job->job->left;
  } else {
    for (const BackgroundState& each : background_) {
      if (each.on) load = each.load.load;
    }
  }
  if (load != running_ || owner != running_owner_) {
    Context* const waits = running_owner_ ? context_of(*running_owner_) : nullptr;
    if (running_ && waits != nullptr && waits->job && waits->job->left) {
      *waits->job->left = std::max(0.0, *waits->job->left - (twin_.iterations() - started_at_));
    }
    started_at_ = twin_.iterations();
    if (!load) {
      twin_.stop();
    } else if (left) {
      twin_.run(load, static_cast<std::int64_t>(std::ceil(*left)));
    } else {
      twin_.run(load);
    }
    running_ = std::move(load);
    running_owner_ = owner;
  }
  if (!contexts_.empty() || !background_.empty()) twin_.open_context();
  if (contexts_.empty() && background_.empty()) twin_.close_context();
}

// A requested clock in whole MHz means the highest clock that is reported as not above it.
void Gpu::set_ceiling() {
  std::int64_t max_mhz = kNever;
  if (locked_core_) max_mhz = locked_core_->max;
  if (application_) max_mhz = std::min(max_mhz, application_->core);
  const device::ClockGrid grid(specification().core);
  std::size_t step = grid.highest();
  while (step > 0 && whole_mhz(grid.at(step)) > max_mhz) --step;
  if (max_mhz == kNever) {
    twin_.unlock_clock();
  } else {
    ERGON_EXPECTS(twin_.lock_clock(grid.at(step)));
  }
}

Result<> Gpu::apply(const Record& record) {
  advance_to(record.time_ns);
  Result<> done;
  switch (record.command) {
    case Command::advance:
      break;
    case Command::open_context:
      opened_by(record.owner);
      break;
    case Command::close_context:
      close(record.owner);
      break;
    case Command::run:
      done = begin_job(record);
      break;
    case Command::stop:
      if (Context* const context = context_of(record.owner)) context->job.reset();
      break;
    case Command::lock_core:
      locked_core_ = {record.first, record.second};
      break;
    case Command::unlock_core:
      locked_core_.reset();
      break;
    case Command::lock_memory:
      locked_memory_ = {record.first, record.second};
      break;
    case Command::unlock_memory:
      locked_memory_.reset();
      break;
    case Command::application_clocks:
      application_ = {record.first, record.second};
      break;
    case Command::reset_application_clocks:
      application_.reset();
      break;
    case Command::limit:
      done = twin_.set_limit(Watts{static_cast<double>(record.first) * kMilli});
      break;
    case Command::persistence:
      persistent_ = record.first != 0;
      break;
  }
  update_load();
  if (record.command >= Command::lock_core && record.command <= Command::reset_application_clocks)
    set_ceiling();
  return done;
}

Bytes Gpu::memory_used() const {
  Bytes used;
  for (const Context& each : contexts_) used += each.memory();
  for (const BackgroundState& each : background_) used += each.load.memory;
  return std::min(used, specification().memory.capacity);
}

std::optional<Owner> Gpu::running_owner() const { return twin_.running() ? running_owner_ : std::nullopt; }

bool Gpu::finished(const Owner& owner) const {
  return running_ && running_owner_ == owner && !twin_.running();
}

device::GpuUtilization Gpu::utilization() const {
  if (!twin_.running() || !running_) return {};
  const device::Activity activity = running_->at(twin_.clock());
  const device::Specification& gpu = specification();
  const Bytes moved = activity.transfers / gpu.power.memory;
  return {std::min(1.0, (activity.gpu / activity.time).si()),
          std::min(1.0, (moved / (gpu.memory.bandwidth * activity.time)).si())};
}

std::vector<unsigned> Gpu::core_clocks() const {
  const device::ClockGrid grid(specification().core);
  std::vector<unsigned> clocks;
  for (std::size_t step = grid.size(); step-- > 0;) clocks.push_back(whole_mhz(grid.at(step)));
  return clocks;
}

}  // namespace ergon::fake_nvml
