#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fleet/account/cell.h"
#include "fleet/account/gathered.h"
#include "fleet/account/gpu_line.h"
#include "fleet/account/pairing.h"
#include "fleet/account/series.h"
#include "fleet/reading/names.h"

namespace ergon::fleet {

// How telemetry is understood.
struct Rules {
  bool keep_duplicates = false;
  Seconds gap{60};         // samples further apart than this tell nothing of the time between
  Seconds longest{86400};  // an event that takes longer is none

  friend bool operator==(const Rules&, const Rules&) = default;
};

// One event and what its host's GPUs did meanwhile.
struct Finished {
  const Event& event;
  const Joined& joined;
  bool outermost = false;  // in no other event of its task
};

// Everything of one host: its events paired, its GPUs' samples laid along them, the sums.
class HostAccount {
 public:
  using OnTask = std::function<void(const Finished&)>;

  // `host_hash`: of its name, the same in every run.
  HostAccount(Code host, std::uint64_t host_hash, const Rules& rules, const Names& events);

  // In any order. False for what comes too late: it lies before what was said to be known.
  bool add(const Checkpoint& checkpoint);
  bool add(const Sample& sample, std::string_view gpu_key);

  // Nothing at or before `known` will come any more.
  void advance(Timestamp known, Gathered& gathered, const OnTask& on_task);
  // Nothing at all will come any more.
  void finish(Gathered& gathered, const OnTask& on_task);

  using Key = Gathered::Key;
  const std::map<Key, Cell>& cells() const { return cells_; }
  const std::map<std::uint16_t, Series>& series() const { return series_; }
  const Pairing& pairing() const { return pairing_; }
  const std::vector<Leftover>& leftovers() const { return pairing_.leftovers(); }

  struct GpuEntry {
    std::string key;
    Code code = kNobody;
    GpuLine line;
  };
  const std::vector<GpuEntry>& gpus() const { return gpus_; }  // by key

 private:
  void line_up(Timestamp settled);
  void flush(Timestamp limit, Gathered& gathered, const OnTask& on_task);
  Joined joined_front() const;
  bool is_outermost(const Event& event);

  Code host_;
  std::uint64_t host_hash_;
  Rules rules_;
  const Names& events_;
  Pairing pairing_;
  std::vector<Checkpoint> rows_;
  std::vector<Event> waiting_;  // paired, but something that began earlier may still be open
  EventLine line_;
  std::vector<GpuEntry> gpus_;
  Timestamp known_{INT64_MIN};
  std::map<Key, Cell> cells_;
  std::map<std::uint16_t, Series> series_;
  std::vector<std::pair<std::uint64_t, Timestamp>> around_;  // tasks and how long their events last
};

}  // namespace ergon::fleet
