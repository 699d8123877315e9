#include "profile/runner.h"

#include <deque>
#include <set>

namespace ergon::profile {
namespace {

// Rows that wait for their energy while others are measured. Sensors lag by less than the time of a row.
constexpr std::size_t kMaxPending = 2;

class Runner {
 public:
  Runner(Profiler& profiler, Dataset& dataset, const PlanRunOptions& options, const std::stop_token& stop,
         std::int64_t session)
      : profiler_(profiler), dataset_(dataset), options_(options), stop_(stop), session_(session) {}

  Result<> measure(const PlanItem& item) {
    if (!held_ || *held_ != item.clock) {
      if (options_.hold_clock) {
        if (auto held = options_.hold_clock(item.clock); !held) return held;
      }
      held_ = item.clock;
    }
    if (options_.before_row) {
      if (auto ready = options_.before_row(); !ready) return ready;
    }
    auto pending = profiler_.measure(item, stop_, [this] { return settle_until(kMaxPending - 1); });
    if (!pending) return pending.error();
    pending_.push_back(std::move(*pending));
    return settle_until(options_.overlap ? kMaxPending : 0);
  }

  Result<> settle() { return settle_until(0); }

  RunSummary& summary() { return summary_; }

 private:
  Result<> settle_until(std::size_t left) {
    while (pending_.size() > left) {
      if (auto settled = settle_oldest(); !settled) return settled;
    }
    return {};
  }

  Result<> settle_oldest() {
    Pending pending = std::move(pending_.front());
    pending_.pop_front();
    auto row = profiler_.settle(std::move(pending), stop_);
    if (!row) return row.error();
    row->session = session_;
    if (auto appended = dataset_.append(*row); !appended) return appended;
    ++summary_.rows[row->status];
    if (row->status == Status::measured && !row->valid) ++summary_.invalid;
    if (options_.after_row) options_.after_row(*row);
    return {};
  }

  Profiler& profiler_;
  Dataset& dataset_;
  const PlanRunOptions& options_;
  const std::stop_token& stop_;
  std::int64_t session_;
  std::optional<std::optional<Hertz>> held_;
  std::deque<Pending> pending_;
  RunSummary summary_;
};

// Keys that need not be measured on this device. With `any_board`, rows of other devices of the same product
// count.
std::set<Key> keys_of(const Dataset& dataset, const std::string& device, bool any_board) {
  if (!any_board) return dataset.keys();
  const auto products = dataset.products();
  const auto own = products.find(device);
  std::set<Key> keys;
  for (Key key : dataset.keys()) {
    const auto other = products.find(key.device);
    if (own != products.end() && other != products.end() && own->second == other->second) key.device = device;
    keys.insert(std::move(key));
  }
  return keys;
}

}  // namespace

bool RunSummary::none_valid() const {
  const auto measured = rows.find(Status::measured);
  return measured != rows.end() && invalid == measured->second;
}

Result<RunSummary> run_plan(const ProfilePlan& plan, const std::string& device, Profiler& profiler,
                            Dataset& dataset, Clock& clock, const PlanRunOptions& options,
                            const std::stop_token& stop, std::int64_t session) {
  for (const Composition& composition : plan.compositions) {
    if (auto appended = dataset.append(composition); !appended) return appended.error();
  }
  const std::set<Key> measured = keys_of(dataset, device, options.any_board);
  Runner runner(profiler, dataset, options, stop, session);
  const Instant begin = clock.now();
  for (const PlanItem& item : plan.items) {
    if (measured.contains(item.key(device))) {
      ++runner.summary().already_measured;
      continue;
    }
    if (options.time_limit && clock.now() - begin > *options.time_limit) {
      ++runner.summary().not_reached;
      continue;
    }
    if (auto done = runner.measure(item); !done) {
      // Store the rows that were measured before the error.
      if (auto stored = runner.settle(); !stored && stored.error().kind == Errc::io) return stored.error();
      return done.error();
    }
  }
  if (auto done = runner.settle(); !done) return done.error();
  return runner.summary();
}

}  // namespace ergon::profile
