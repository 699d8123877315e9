#include "sweep/candidates.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
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

TEST(Candidates, HaveOnePrecision) {
  const auto dense = [](const std::string& name, graph::ElementType type) {
    graph::Builder b("onnx", name);
    const auto x = b.input("x", "Input", graph::Shape::batch_of({8}), type);
    return profile::LoadedNetwork{name, b.finish({b.add("y", "MatMul", graph::Dense{4, false}, {x})}).value(),
                                  std::nullopt};
  };
  const auto half = dense("half", graph::ElementType::float16),
             other = dense("other", graph::ElementType::float32);
  EXPECT_EQ(precision_of({half, half}, {}).value(), device::Precision::fp16);
  EXPECT_EQ(precision_of({other}, {}).value(), device::Precision::tf32);
  EXPECT_EQ(precision_of({half, other}, device::Precision::bf16).value(), device::Precision::bf16);
  const auto mixed = precision_of({half, other}, {});
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().message,
            "--precision: half is fp16 and other is tf32; choose one data type or use separate sweeps");
}

}  // namespace
}  // namespace ergon::sweep
