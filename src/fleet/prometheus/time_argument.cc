#include "fleet/prometheus/time_argument.h"

#include <cmath>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::fleet {

Result<TimeArgument> TimeArgument::parse(std::string_view text, std::string_view option) {
  constexpr std::string_view kNow = "now";
  TimeArgument argument;
  argument.text_ = text;
  argument.option_ = option;
  if (text == kNow) return argument;
  if (text.starts_with("now-")) {
    const auto ago = parse_quantity<Seconds>(text.substr(kNow.size() + 1), option);
    if (!ago) return ago.error();
    argument.before_now_ = *ago;
    return argument;
  }
  if (const auto at = parse_timestamp(text)) {
    argument.absolute_ = *at;
    return argument;
  }
  return fail(Errc::invalid_input, "{}: \"{}\" is not a time (examples: 2018-11-08T07:41:31Z, now, now-2h)",
              option, printable(text));
}

Result<Timestamp> TimeArgument::at(Timestamp now) const {
  if (absolute_) return *absolute_;
  const double ago_ns = before_now_.si() * 1e9;
  if (!(ago_ns >= 0 && ago_ns <= static_cast<double>(now.ns)))
    return fail(Errc::invalid_input, "{}: \"{}\" is before 1970 or after now", option_, printable(text_));
  return Timestamp{now.ns - std::llround(ago_ns)};
}

}  // namespace ergon::fleet
