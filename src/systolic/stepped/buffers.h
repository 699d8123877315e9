#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "systolic/replay/layer_timing.h"
#include "systolic/replay/semantics.h"

namespace ergon::systolic::stepped {

// The sets of a read scratchpad and those it holds now, address by address.
class SetWindow {
 public:
  SetWindow(std::int64_t scratchpad_words, const std::vector<std::int64_t>& stream);

  bool holds(std::int64_t address) const;
  void move();

  // Words in the sets it holds now, and in those that the next move brings, as often as the stream has them.
  std::int64_t words_held() const;
  std::int64_t words_next() const;

 private:
  struct Set {
    std::unordered_set<std::int64_t> addresses;
    std::int64_t words = 0;
  };
  std::vector<Set> sets_;
  std::size_t start_ = 0, active_ = 0, prefetched_ = 0;
};

// A read scratchpad with a port of its own, as SCALE-Sim simulates it.
class ReadBuffer {
 public:
  ReadBuffer(std::int64_t scratchpad_words, const std::vector<std::int64_t>& stream,
             std::int64_t words_per_cycle, Semantics semantics);

  // Cycles from `now` until all of a line's words are there.
  std::int64_t serve(const std::vector<std::int64_t>& line, std::int64_t now);
  const Accesses& dram() const { return dram_; }

 private:
  SetWindow window_;
  std::int64_t words_per_cycle_, piece_cycles_;
  Semantics semantics_;
  Accesses dram_;
};

// A read scratchpad that never makes anybody wait and notes what it would have had to fetch when.
class EstimatingBuffer {
 public:
  explicit EstimatingBuffer(std::int64_t scratchpad_words);

  void serve(const std::vector<std::int64_t>& line, std::int64_t now);
  // False where SCALE-Sim divides by zero.
  bool sound() const { return sound_; }
  Accesses dram() const;
  // The same without its habits: cycles of the first and of the last fetch.
  Accesses plain_dram() const;

 private:
  std::int64_t set_words_;
  std::unordered_set<std::int64_t> epoch_;
  std::int64_t fetched_ = 0;
  std::optional<std::int64_t> first_request_, last_full_;
  bool sound_ = true;
};

// The output scratchpad, word by word.
class WriteBuffer {
 public:
  WriteBuffer(std::int64_t scratchpad_words, std::int64_t port_words);

  // The cycle at which the line is done.
  std::int64_t serve(const std::vector<std::int64_t>& line, std::int64_t now);
  void finish(std::int64_t now);

  Accesses dram(Semantics semantics) const;

 private:
  void drain(std::int64_t now);

  std::int64_t total_words_, serving_words_, port_words_;
  std::int64_t free_words_;
  std::vector<std::int64_t> lines_;  // words in each line, oldest first; the last may be open
  bool open_ = false;
  std::size_t drained_lines_ = 0;
  std::int64_t drain_end_ = 0;
  std::int64_t words_ = 0;
  std::vector<std::int64_t> cycles_;  // of every drained line
};

}  // namespace ergon::systolic::stepped
