#include "fleet/prometheus/moment.h"

#include <cmath>

#include "base/text.h"
#include "base/units_text.h"

namespace ergon::fleet {

Result<Timestamp> parse_moment(std::string_view text, Timestamp now, std::string_view asker) {
  constexpr std::string_view kNow = "now";
  if (text == kNow) return now;
  if (text.starts_with("now-")) {
    const auto ago = parse_quantity<Seconds>(text.substr(kNow.size() + 1), asker);
    if (!ago) return ago.error();
    if (!(ago->si() >= 0 && ago->si() * 1e9 <= static_cast<double>(now.ns)))
      return fail(Errc::invalid_input, "{}: \"{}\" is before 1970 or after now", asker, printable(text));
    return Timestamp{now.ns - std::llround(ago->si() * 1e9)};
  }
  if (const auto at = parse_timestamp(text)) return *at;
  return fail(Errc::invalid_input, "{}: \"{}\" is no time, such as 2018-11-08T07:41:31Z, now, or now-2h",
              asker, printable(text));
}

}  // namespace ergon::fleet
