#include "control/caps/cap_source.h"

#include <cmath>
#include <utility>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::control {
namespace {

using Change = std::optional<CapChange>;

// Above the power of any machine with accelerators: a higher value has the wrong unit.
constexpr Watts kMaxCap{100e3};

class ConstantCap final : public CapSource {
 public:
  explicit ConstantCap(Watts cap) : cap_(cap) {}

  Result<Change> poll(Seconds) override {
    if (std::exchange(polled_, true)) return Change();
    return Change(CapChange{cap_, "constant"});
  }

 private:
  Watts cap_;
  bool polled_ = false;
};

}  // namespace

std::unique_ptr<CapSource> constant_cap(Watts cap) { return std::make_unique<ConstantCap>(cap); }

Result<Watts> parse_cap(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.find('\n') != std::string_view::npos) {
    return fail(Errc::invalid_input, "several lines; expected one, for example 250W");
  }
  const std::string shown = printable(trim(text));
  if (shown.empty()) return fail(Errc::invalid_input, "empty; expected a power, for example 250W");
  const auto cap = parse_quantity<Watts>(with_unit(shown, "W"), "");
  if (!cap) return cap.error();
  if (*cap == Watts{0}) return fail(Errc::invalid_input, "{}: the cap must be above 0", shown);
  if (*cap < Watts{0}) return fail(Errc::invalid_input, "{}: the cap must be above 0", shown);
  if (*cap > kMaxCap) {
    return fail(Errc::invalid_input, "{} is above the maximum cap, {}", shown, to_text(kMaxCap));
  }
  return *cap;
}

std::string with_unit(std::string_view text, std::string_view unit) {
  std::string whole(text);
  const bool bare = !text.empty() && text.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
  if (bare) whole += unit;
  return whole;
}

std::string seconds_text(Seconds time) { return shortest_text(std::round(time.si() * 1e6) / 1e6); }

}  // namespace ergon::control
