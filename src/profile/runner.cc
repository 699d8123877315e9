#include "profile/runner.h"

#include <deque>
#include <set>

namespace ergon::profile {
namespace {

// Rows whose energy settles while others are measured: sensors lag behind by less than a row takes.
constexpr std::size_t kSettling = 2;

class Runner {
 public:
  Runner(Profiler& profiler, Dataset& dataset, const Surrounding& around, const std::stop_token& stop,
         std::int64_t session)
      : profiler_(profiler), dataset_(dataset), around_(around), stop_(stop), session_(session) {}

  Result<> measure(const Item& item) {
    if (!held_ || *held_ != item.clock) {
      if (around_.hold_clock) {
        if (auto held = around_.hold_clock(item.clock); !held) return held;
      }
      held_ = item.clock;
    }
    if (around_.before_row) {
      if (auto ready = around_.before_row(); !ready) return ready;
    }
    auto pending = profiler_.measure(item, stop_, [this] { return settle_until(kSettling - 1); });
    if (!pending) return pending.error();
    pending_.push_back(std::move(*pending));
    return settle_until(around_.overlap ? kSettling : 0);
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
    if (around_.after_row) around_.after_row(*row);
    return {};
  }

  Profiler& profiler_;
  Dataset& dataset_;
  const Surrounding& around_;
  const std::stop_token& stop_;
  std::int64_t session_;
  std::optional<std::optional<Hertz>> held_;
  std::deque<Pending> pending_;
  RunSummary summary_;
};

// What need not be measured on this device. With `any_board`, what another of the same product has measured
// counts as its own.
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

Result<RunSummary> run_plan(const Plan& plan, const std::string& device, Profiler& profiler, Dataset& dataset,
                            Clock& clock, const Surrounding& around, const std::stop_token& stop,
                            std::int64_t session) {
  for (const Composition& composition : plan.compositions) {
    if (auto appended = dataset.append(composition); !appended) return appended.error();
  }
  const std::set<Key> known = keys_of(dataset, device, around.any_board);
  Runner runner(profiler, dataset, around, stop, session);
  const Instant begin = clock.now();
  for (const Item& item : plan.items) {
    if (known.contains(item.key(device))) {
      ++runner.summary().known;
      continue;
    }
    if (around.limit && clock.now() - begin > *around.limit) {
      ++runner.summary().left;
      continue;
    }
    if (auto done = runner.measure(item); !done) {
      // What was measured before is worth keeping, whatever ended this one.
      if (auto kept = runner.settle(); !kept && kept.error().kind == Errc::io) return kept.error();
      return done.error();
    }
  }
  if (auto done = runner.settle(); !done) return done.error();
  return runner.summary();
}

}  // namespace ergon::profile
