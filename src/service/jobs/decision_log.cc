#include "service/jobs/decision_log.h"

#include <utility>

namespace ergon::service {

void DecisionLog::read(const Visitor& visit) {
  for (const std::string& line : lines_.read_new_lines(kPiece)) {
    if (skipped_ > 0) {
      if (reader_.skip(line)) --skipped_;
    } else if (auto decision = reader_.read(line)) {
      visit(*std::move(decision));
    }
  }
}

}  // namespace ergon::service
