#include "sweep/candidates.h"

#include <gtest/gtest.h>

#include "graph/zoo/zoo.h"
#include "sweep/table_one.h"

namespace ergon::sweep {
namespace {

Result<profile::LoadedNetwork> load_from_zoo(const std::string& name) {
  const auto entry = graph::zoo::find(name);
  if (!entry) return entry.error();
  profile::LoadedNetwork loaded;
  loaded.network.name = (*entry)->name;
  loaded.network.family = (*entry)->family;
  loaded.name = loaded.network.name;
  return loaded;
}

TEST(Candidates, TableOneHasTheNamesOfThePaper) {
  EXPECT_EQ(table_one().size(), 31u);
  const auto all = load_candidates({kTableOne}, {}, load_from_zoo).value();
  ASSERT_EQ(all.size(), 31u);
  EXPECT_EQ(all.front().name, "m-r50x1");
  EXPECT_EQ(all.back().name, "alexnet");
  EXPECT_EQ(all.back().network.family, "caffe");
  EXPECT_EQ(load_candidates({kTableOne}, 448, load_from_zoo).value().back().name, "alexnet@448");
}

TEST(Candidates, HaveNoDuplicates) {
  const auto all = load_candidates({"resnet18", "vgg16", "resnet18"}, {}, load_from_zoo).value();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].name, "vgg16");
}

TEST(Candidates, RejectOneNameForTwoNetworks) {
  const auto two = load_candidates({"vgg16", "table1"}, {}, load_from_zoo);
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().message,
            "torchvision/vgg16 and keras/vgg16 have the same name \"vgg16\"; use separate sweeps");
  EXPECT_EQ(load_candidates({"vgg61"}, {}, load_from_zoo).error().kind, Errc::unknown_name);
}

}  // namespace
}  // namespace ergon::sweep
