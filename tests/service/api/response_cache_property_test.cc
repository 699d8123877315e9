#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "service/api/response_cache.h"

namespace ergon::service {
namespace {

// Reference implementation: a linear list.
struct NaiveCache {
  std::size_t most;
  std::vector<std::pair<std::string, std::string>> kept;  // the last used at the end

  std::size_t bytes() const {
    std::size_t all = 0;
    for (const auto& [question, answer] : kept) all += question.size() + answer.size();
    return all;
  }
  std::optional<std::string> find(const std::string& question) {
    const auto found =
        std::find_if(kept.begin(), kept.end(), [&](const auto& each) { return each.first == question; });
    if (found == kept.end()) return std::nullopt;
    std::rotate(found, found + 1, kept.end());
    return kept.back().second;
  }
  void insert(const std::string& question, const std::string& answer) {
    if (question.size() + answer.size() > most) return;
    if (std::any_of(kept.begin(), kept.end(), [&](const auto& each) { return each.first == question; }))
      return;
    kept.emplace_back(question, answer);
    while (bytes() > most) kept.erase(kept.begin());
  }
};

RC_GTEST_PROP(ResponseCacheProperty, MatchesTheNaiveCache, ()) {
  const auto most = *rc::gen::inRange<std::size_t>(0, 30);
  ResponseCache cache(most);
  NaiveCache naive{most, {}};
  const int steps = *rc::gen::inRange(0, 80);
  for (int i = 0; i < steps; ++i) {
    const std::string question(*rc::gen::inRange<std::size_t>(0, 4),
                               static_cast<char>('a' + *rc::gen::inRange(0, 3)));
    if (*rc::gen::arbitrary<bool>()) {
      const std::string answer(*rc::gen::inRange<std::size_t>(0, 12), static_cast<char>('0' + i % 10));
      cache.insert(question, std::make_shared<const std::string>(answer));
      naive.insert(question, answer);
    } else {
      const auto found = cache.find(question);
      RC_ASSERT((found ? std::optional(*found) : std::nullopt) == naive.find(question));
    }
    RC_ASSERT(cache.bytes() == naive.bytes());
    RC_ASSERT(cache.bytes() <= most);
  }
}

}  // namespace
}  // namespace ergon::service
