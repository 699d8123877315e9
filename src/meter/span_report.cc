#include "meter/span_report.h"

namespace ergon::meter {
namespace {

template <typename T>
void widen(std::optional<T>& least, std::optional<T>& most, const std::optional<T>& other_least,
           const std::optional<T>& other_most) {
  if (other_least && (!least || *other_least < *least)) least = other_least;
  if (other_most && (!most || *most < *other_most)) most = other_most;
}

}  // namespace

void Surroundings::add(const Surroundings& other) {
  reasons |= other.reasons;
  strangers.insert(other.strangers.begin(), other.strangers.end());
  widen(coolest, hottest, other.coolest, other.hottest);
  widen(slowest, fastest, other.slowest, other.fastest);
  limit_lowered = limit_lowered || other.limit_lowered;
}

}  // namespace ergon::meter
