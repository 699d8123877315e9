#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "meter/update.h"

namespace ergon::meter {

// Someone's window opened or closed at this moment.
struct Edge {
  Instant at;
  bool opens = false;
};

// What power did between the updates of a sensor, as pieces that follow each other without a hole. A piece is
// settled once the update behind it has come too.
class PieceBuilder {
 public:
  // `swing` is how much power may change on this device when work begins.
  explicit PieceBuilder(Watts swing) : swing_(swing) {}

  // The pieces that this update settles. `edges` are all that fall into the time since the update before
  // the last; they tell which way a jump goes: work that somebody measures begins after the window opens and
  // ends before it closes.
  std::vector<PowerPiece> add(const Update& update, const std::vector<Edge>& edges);

 private:
  bool passes_through(std::size_t middle) const;
  PowerPiece unseen(Instant begin, Instant end, const std::vector<Edge>& edges);
  PowerPiece jump_within(Instant begin, Instant end, const std::vector<Edge>& edges) const;
  bool plausible(Watts power) const;
  double another_jump(Seconds time) const;
  std::vector<PowerPiece> seen(Instant begin, Instant end, const std::vector<Edge>& edges) const;
  void count_jumps(Seconds time, bool jumped);

  Watts swing_;
  std::deque<Update> updates_;  // up to four: the time between the second last and the one before is settled
  // Of the last seconds, older ones counting less.
  double jumps_ = 0, seconds_ = 0;
};

}  // namespace ergon::meter
