#include "fleet/prometheus/time_argument.h"

#include <cmath>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::fleet {

Result<Timestamp> parse_time_argument(std::string_view text, Timestamp now, std::string_view option) {
  constexpr std::string_view kNow = "now";
  if (text == kNow) return now;
  if (text.starts_with("now-")) {
    const auto ago = parse_quantity<Seconds>(text.substr(kNow.size() + 1), option);
    if (!ago) return ago.error();
    if (!(ago->si() >= 0 && ago->si() * 1e9 <= static_cast<double>(now.ns)))
      return fail(Errc::invalid_input, "{}: \"{}\" is before 1970 or after now", option, printable(text));
    return Timestamp{now.ns - std::llround(ago->si() * 1e9)};
  }
  if (const auto at = parse_timestamp(text)) return *at;
  return fail(Errc::invalid_input, "{}: \"{}\" is not a time (examples: 2018-11-08T07:41:31Z, now, now-2h)",
              option, printable(text));
}

}  // namespace ergon::fleet
