#include <fstream>

#include <gtest/gtest.h>

#include "graph/onnx/onnx.h"
#include "graph/zoo/zoo.h"
#include "small_model.h"
#include "support/temporary_folder.h"

namespace ergon::graph::onnx {
namespace {

using test::SmallModel;

Result<std::string> stripped(const SmallModel& model) {
  const test::TemporaryFolder folder;
  const auto path = folder / "net.onnx";
  std::ofstream(path, std::ios::binary) << model.proto.SerializeAsString();
  return structure_only_onnx(path.string());
}

SmallModel dense_model() {
  SmallModel model;
  model.input("x", {-1, 64}).reals("numbers", std::vector<float>(64 * 32, 0.5F)).integers("shape", {64, 32});
  model.node("Reshape", {"numbers", "shape"}, {"w"}).node("MatMul", {"x", "w"}, {"y"}).output("y");
  return model;
}

TEST(StructureOnlyOnnx, IsTheSameNetworkWithoutWeights) {
  SmallModel model = dense_model();
  model.proto.set_doc_string(std::string(5000, '.'));
  const auto light = stripped(model);
  ASSERT_TRUE(light) << light.error().message;
  EXPECT_LT(light->size(), 1000U);
  const auto whole = model.import().value();
  const auto same = import_onnx(*light, "test", {});
  ASSERT_TRUE(same) << same.error().message;
  ASSERT_EQ(same->nodes.size(), whole.nodes.size());
  for (std::size_t i = 0; i < whole.values.size(); ++i)
    EXPECT_EQ(same->values[i].shape, whole.values[i].shape);
}

TEST(StructureOnlyOnnx, KeepsIntegersThatShapesDependOn) {
  SmallModel model;
  model.input("x", {-1, 600}).integers("places", std::vector<std::int64_t>(300, 2));
  model.node("Gather", {"x", "places"}, {"y"}).with("axis", 1).output("y");
  const auto light = stripped(model);
  ASSERT_TRUE(light);
  EXPECT_GT(light->size(), 300U);
  EXPECT_EQ(import_onnx(*light, "", {})->values.back().shape, Shape::batch_of({300}));
}

// The output shape of an operation of unknown cost is only known from its declaration.
TEST(StructureOnlyOnnx, KeepsDeclarationsThatCannotBeInferred) {
  SmallModel model;
  model.input("x", {-1, 64}).declare("strange", {-1, 32}).weight("w", {32, 16});
  model.node("Strange", {"x"}, {"strange"}, "my.own").node("MatMul", {"strange", "w"}, {"y"}).output("y");
  const auto light = stripped(model);
  ASSERT_TRUE(light);
  const auto network = import_onnx(*light, "", {});
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ(network->values.back().shape, Shape::batch_of({16}));
}

// PyTorch's exporter records the module of every node.
TEST(StructureOnlyOnnx, KeepsTheModuleLibrary) {
  SmallModel model = dense_model();
  EXPECT_EQ(import_onnx(*stripped(model), "", {})->modules, "");
  model.graph().mutable_node(1)->set_doc_string("model: transformers.models.vit.modeling_vit.ViTModel/dense");
  EXPECT_EQ(model.import()->modules, "transformers");
  EXPECT_EQ(import_onnx(*stripped(model), "", {})->modules, "transformers");
}

// Layer names and training-only layers are stored in Ergon's doc strings.
TEST(StructureOnlyOnnx, KeepsLayerTags) {
  for (const char* name : {"googlenet", "gpt2"}) {
    const Network network = zoo::build(*zoo::find(name).value(), {}).value();
    SmallModel model;
    ASSERT_TRUE(model.proto.ParseFromString(export_onnx(network).value()));
    const auto light = stripped(model);
    ASSERT_TRUE(light) << light.error().message;
    const auto same = import_onnx(*light, name, {});
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_EQ(same->modules, network.modules);
    ASSERT_EQ(same->layers.size(), network.layers.size());
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      EXPECT_EQ(same->layers[i].type, network.layers[i].type);
      EXPECT_EQ(same->layers[i].training_only, network.layers[i].training_only);
    }
  }
}

TEST(StructureOnlyOnnx, RejectsFilesThatAreNotModels) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "net.onnx") << "no model";
  EXPECT_FALSE(structure_only_onnx((folder / "net.onnx").string()));
  EXPECT_FALSE(structure_only_onnx((folder / "none.onnx").string()));
}

}  // namespace
}  // namespace ergon::graph::onnx
