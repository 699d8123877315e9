#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "service/guard.h"

namespace ergon::service {
namespace {

std::string short_text() {
  return *rc::gen::resize(12,
                          rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\0\xff", 4))));
}

// Two letters, so that equal strings, prefixes and repetitions are frequent.
RC_GTEST_PROP(TokenComparison, MatchesOperatorEquals, ()) {
  const std::string secret = short_text(), given = short_text();
  RC_ASSERT(equal_in_constant_time(secret, given) == (secret == given));
  RC_ASSERT(equal_in_constant_time(secret, secret));
  RC_ASSERT(!equal_in_constant_time(secret, secret + 'a'));
  if (!secret.empty()) {
    RC_ASSERT(!equal_in_constant_time(secret, secret + secret));
    RC_ASSERT(!equal_in_constant_time(secret, ""));
  }
}

// Flips one bit at any position.
RC_GTEST_PROP(TokenComparison, DetectsEveryBitFlip, (const std::string& text)) {
  RC_PRE(!text.empty());
  std::string other = text;
  const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
  other[place] = static_cast<char>(other[place] ^ (1 << *rc::gen::inRange(0, 8)));
  RC_ASSERT(!equal_in_constant_time(text, other));
}

// Any request without the token is rejected.
RC_GTEST_PROP(TokenComparison, RejectsRequestsWithoutTheToken, ()) {
  const Guard guard(true, "0123456789abcdef");
  Request request;
  request.method = *rc::gen::element<std::string>("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE");
  request.path = *rc::gen::element<std::string>("/api/v1/", "/metrics", "/api/");
  if (request.path != "/metrics")
    request.path += *rc::gen::container<std::string>(rc::gen::character<char>());
  request.headers = {{"host", "localhost"}, {"content-type", "application/json"}};
  if (*rc::gen::arbitrary<bool>())
    request.headers.emplace_back("authorization", "Bearer " + *rc::gen::arbitrary<std::string>());
  const auto refusal = guard.refusal(request);
  RC_ASSERT(refusal.has_value());
  RC_ASSERT(refusal->status == 401);
}

}  // namespace
}  // namespace ergon::service
