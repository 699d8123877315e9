#include "base/version.h"

#include <gtest/gtest.h>

namespace ergon {
namespace {

TEST(BuildFacts, AreFilledInByTheBuild) {
  const BuildFacts facts = build_facts();
  EXPECT_FALSE(facts.version.empty());
  EXPECT_FALSE(facts.commit.empty());
  EXPECT_FALSE(facts.compiler.empty());
  EXPECT_EQ(facts.version.find('@'), std::string_view::npos);
  EXPECT_FALSE(facts.build_type.empty());
}

}  // namespace
}  // namespace ergon
