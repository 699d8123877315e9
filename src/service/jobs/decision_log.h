#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

#include "service/jobs/decision_log_reader.h"
#include "service/jobs/line_tail.h"

namespace ergon::service {

// The decisions of a cap job, read from its log in pieces while the job writes it. A log of a day has
// millions, so nobody keeps them.
class DecisionLog {
 public:
  // Leaves out the first `skipped` decisions.
  explicit DecisionLog(std::filesystem::path file, std::uint64_t skipped = 0)
      : lines_(std::move(file), kMaxLine), skipped_(skipped) {}

  using Visitor = std::function<void(nlohmann::ordered_json decision)>;
  // Visits the decisions in the next 16 KiB of the log, about a hundred. There may be none before its end.
  void read(const Visitor& visit);
  // True if the last read() came to the end of the log.
  bool at_end() const { return lines_.at_end(); }

 private:
  static constexpr std::size_t kPiece = std::size_t{16} << 10, kMaxLine = kPiece;

  LineTail lines_;
  DecisionLogReader reader_;
  std::uint64_t skipped_;
};

}  // namespace ergon::service
