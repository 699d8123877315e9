#include <map>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "table/dictionary.h"

namespace ergon::table {
namespace {

RC_GTEST_PROP(DictionaryProperty, NumbersTextsAsAMapWould, ()) {
  // Few letters, so that texts come again; up to eight and more of them, so that all of the hash is used.
  const auto letters = rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0', '\xff'));
  const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::oneOf(
      letters, rc::gen::map(rc::gen::inRange(0, 50), [](int i) { return std::to_string(i); })));
  const auto compact_at = *rc::gen::inRange<std::size_t>(0, texts.size() + 1);

  Dictionary dictionary;
  std::map<std::string, Code> known;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i == compact_at) dictionary.compact();
    const Code expected = known.try_emplace(texts[i], static_cast<Code>(known.size())).first->second;
    RC_ASSERT(dictionary.code_of(texts[i]) == expected);
    RC_ASSERT(dictionary.size() == known.size());
  }
  for (const auto& [text, code] : known) RC_ASSERT(dictionary.at(code) == text);
}

}  // namespace
}  // namespace ergon::table
