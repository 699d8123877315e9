#include "control/controllers/pseudo_binary_search.h"

namespace ergon::control {

PseudoBinarySearch::Move PseudoBinarySearch::step(Watts power, Watts cap) {
  const std::size_t before = at_;
  if (power < cap * alpha_) {
    min_ = at_;
    at_ = (min_ + max_ + 1) / 2;
  } else if (power > cap) {
    if (at_ == 1) return Move::stuck;
    max_ = at_;
    if (at_ == min_) min_ = 1;
    at_ = (min_ + max_) / 2;
  }
  return at_ > before ? Move::up : at_ < before ? Move::down : Move::stay;
}

}  // namespace ergon::control
