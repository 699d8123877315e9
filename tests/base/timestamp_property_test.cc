#include <ctime>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/timestamp.h"

namespace ergon {
namespace {

rc::Gen<std::int64_t> any_ns() {
  // The years 1678 to 2261.
  return rc::gen::inRange<std::int64_t>(-9214560000'000'000'000, 9214646399'999'999'999);
}

RC_GTEST_PROP(TimestampProperty, TextReadsBack, ()) {
  const Timestamp t{*any_ns()};
  RC_ASSERT(parse_timestamp(to_text(t)) == t);
}

// The C library's calendar is the independent reference.
RC_GTEST_PROP(TimestampProperty, AgreesWithGmtime, ()) {
  const std::time_t seconds = *rc::gen::inRange<std::int64_t>(-9214560000, 9214646399);
  std::tm civil{};
  ::gmtime_r(&seconds, &civil);
  char text[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &civil);
  RC_ASSERT(to_text(Timestamp{seconds * 1'000'000'000}) == std::string(text));
  RC_ASSERT(parse_timestamp(text)->ns == seconds * 1'000'000'000);
}

}  // namespace
}  // namespace ergon
