#include "sweep/clock_choice.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::sweep {
namespace {

using Clocks = std::vector<std::optional<Hertz>>;

Result<Clocks> spread(std::size_t count, const std::vector<Hertz>& supported) {
  if (count > supported.size()) {
    return fail(Errc::invalid_input, "--clocks: {} exceeds the {} clocks of the device; use --clocks all",
                count, supported.size());
  }
  if (count == 1) return Clocks{supported.back()};
  Clocks clocks;
  const double step = static_cast<double>(supported.size() - 1) / static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    clocks.emplace_back(supported[static_cast<std::size_t>(std::llround(step * static_cast<double>(i)))]);
  }
  return clocks;
}

Result<Hertz> nearest(Hertz clock, const std::vector<Hertz>& supported) {
  const Hertz slack{0.5e6};
  if (clock < supported.front() - slack || clock > supported.back() + slack) {
    return fail(Errc::invalid_input, "--clocks: {} is outside the range of the device, {} to {}",
                to_text(clock), to_text(supported.front()), to_text(supported.back()));
  }
  const auto distance = [&](Hertz one) { return std::fabs((one - clock).si()); };
  const auto best = std::min_element(supported.begin(), supported.end(),
                                     [&](Hertz a, Hertz b) { return distance(a) < distance(b); });
  if (distance(*best) <= clock_tolerance(*best, supported).si()) return *best;
  const auto above = std::upper_bound(supported.begin(), supported.end(), clock);
  return fail(Errc::invalid_input, "--clocks: the device has no clock {}; the nearest are {} and {}",
              to_text(clock), to_text(*(above - 1)), to_text(*above));
}

Result<Clocks> listed(const std::vector<Hertz>& requested, const std::vector<Hertz>& supported) {
  Clocks clocks;
  for (const Hertz clock : requested) {
    const auto found = nearest(clock, supported);
    if (!found) return found.error();
    clocks.emplace_back(*found);
  }
  std::sort(clocks.begin(), clocks.end());
  clocks.erase(std::unique(clocks.begin(), clocks.end()), clocks.end());
  return clocks;
}

}  // namespace

Result<ClockChoice> parse_clock_choice(std::string_view text) {
  if (text == "all") return ClockChoice{AllClocks{}};
  if (text == "default") return ClockChoice{DefaultClock{}};
  if (text == "own") return fail(Errc::invalid_input, "--clocks: \"own\" is now \"default\"");
  if (const auto count = parse_int64(text)) {
    if (*count < 1)
      return fail(Errc::invalid_input, "--clocks: {} is not a number of clocks; the minimum is 1", text);
    return ClockChoice{static_cast<std::size_t>(*count)};
  }
  std::vector<Hertz> clocks;
  for (const std::string_view word : split(text, ',')) {
    const auto clock = parse_quantity<Hertz>(trim(word), "--clocks");
    if (!clock) {
      return parse_double(trim(word))
                 ? fail(Errc::invalid_input, "--clocks: \"{}\" has no unit (example: {}MHz)", printable(word),
                        trim(word))
                 : clock.error();
    }
    if (!(*clock > Hertz{0}))
      return fail(Errc::invalid_input, "--clocks: {} is not above 0", printable(word));
    clocks.push_back(*clock);
  }
  return ClockChoice{std::move(clocks)};
}

Result<Clocks> chosen_clocks(const ClockChoice& choice, const std::vector<Hertz>& supported) {
  if (std::holds_alternative<DefaultClock>(choice)) return Clocks{std::nullopt};
  if (supported.empty()) {
    return fail(Errc::unsupported, "the device lists no clocks; use --clocks default");
  }
  if (std::holds_alternative<AllClocks>(choice)) return Clocks(supported.begin(), supported.end());
  if (const auto* count = std::get_if<std::size_t>(&choice)) return spread(*count, supported);
  return listed(std::get<std::vector<Hertz>>(choice), supported);
}

Result<Clocks> chosen_clocks(const ClockChoice& choice, RunExecutor& executor) {
  if (std::holds_alternative<DefaultClock>(choice)) return chosen_clocks(choice, std::vector<Hertz>());
  const auto supported = executor.clocks();
  if (!supported) return supported.error();
  return chosen_clocks(choice, *supported);
}

Hertz clock_tolerance(Hertz clock, const std::vector<Hertz>& supported) {
  constexpr Hertz kMinTolerance{1e6};  // drivers report whole MHz
  const auto above = std::upper_bound(supported.begin(), supported.end(), clock);
  const auto here = std::lower_bound(supported.begin(), supported.end(), clock);
  std::optional<Hertz> step;
  if (above != supported.end()) step = *above - clock;
  if (here != supported.begin()) {
    const Hertz below = clock - *(here - 1);
    step = step ? std::min(*step, below) : below;
  }
  return std::max(kMinTolerance, step.value_or(Hertz{0}) / 2);
}

}  // namespace ergon::sweep
