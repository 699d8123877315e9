#include "control/cap_source.h"

#include <cmath>
#include <utility>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::control {
namespace {

using Change = std::optional<CapChange>;

// More than any machine with accelerators draws: who writes it has the unit wrong.
constexpr Watts kHighestCap{100e3};

class ConstantCap final : public CapSource {
 public:
  explicit ConstantCap(Watts cap) : cap_(cap) {}

  Result<Change> poll(Seconds) override {
    if (std::exchange(told_, true)) return Change();
    return Change(CapChange{cap_, "constant"});
  }

 private:
  Watts cap_;
  bool told_ = false;
};

}  // namespace

std::unique_ptr<CapSource> constant_cap(Watts cap) { return std::make_unique<ConstantCap>(cap); }

Result<Watts> parse_cap(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.find('\n') != std::string_view::npos) {
    return fail(Errc::invalid_input, "several lines; a cap is one line, such as 250W");
  }
  const std::string shown = printable(trim(text));
  if (shown.empty()) return fail(Errc::invalid_input, "empty; a cap is a power, such as 250W");
  const auto cap = parse_quantity<Watts>(with_unit(shown, "W"), "a cap");
  if (!cap) return cap.error();
  if (*cap == Watts{0}) return fail(Errc::invalid_input, "{} is zero; a cap is above it", shown);
  if (*cap < Watts{0}) return fail(Errc::invalid_input, "{} is negative; a cap is above zero", shown);
  if (*cap > kHighestCap) {
    return fail(Errc::invalid_input, "{} is above {}, the highest cap", shown, to_text(kHighestCap));
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
