#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "meter/update.h"

namespace ergon::meter {

// The start or end of a measured window.
struct WindowEdge {
  Instant at;
  bool opens = false;
};

// Power between the updates of a sensor, as contiguous pieces. A piece is final once the update after it has
// arrived.
class PieceBuilder {
 public:
  // `swing`: how much power may change on this device when work begins.
  explicit PieceBuilder(Watts swing) : swing_(swing) {}

  // Returns the pieces that this update makes final. `edges`: all window edges since the update before the
  // last. They constrain when power jumps, because measured work begins after its window opens and ends
  // before the window closes.
  std::vector<PowerPiece> add(const SensorUpdate& update, const std::vector<WindowEdge>& edges);

 private:
  bool passes_through(std::size_t middle) const;
  PowerPiece unobserved(Instant begin, Instant end, const std::vector<WindowEdge>& edges);
  PowerPiece jump_within(Instant begin, Instant end, const std::vector<WindowEdge>& edges) const;
  bool plausible(Watts power) const;
  double extra_jump_probability(Seconds time) const;
  std::vector<PowerPiece> observed(Instant begin, Instant end, const std::vector<WindowEdge>& edges) const;
  void count_jumps(Seconds time, bool jumped);

  Watts swing_;
  // Up to four. The span that ends at the last but one becomes final.
  std::deque<SensorUpdate> updates_;
  // Exponentially weighted counts of the last seconds.
  double jumps_ = 0, seconds_ = 0;
};

}  // namespace ergon::meter
