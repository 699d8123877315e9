#include "control/ladder.h"

namespace ergon::control {

Ladder::Move Ladder::step(Watts power, Watts cap) {
  const std::size_t before = at_;
  if (power < cap * alpha_) {
    least_ = at_;
    at_ = (least_ + most_ + 1) / 2;
  } else if (power > cap) {
    if (at_ == 1) return Move::stuck;
    most_ = at_;
    if (at_ == least_) least_ = 1;
    at_ = (least_ + most_) / 2;
  }
  return at_ > before ? Move::up : at_ < before ? Move::down : Move::stay;
}

}  // namespace ergon::control
