// Export and import of zoo networks preserve the costs, and the onnx library accepts the files.

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <gtest/gtest.h>

#include "graph/onnx/onnx.h"
#include "graph/summary.h"
#include "graph/zoo/zoo.h"

namespace ergon::graph::onnx {
namespace {

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, GivesTheSameCosts) {
  int networks = 0;
  for (const zoo::Entry& entry : zoo::entries()) {
    if (entry.family != GetParam()) continue;
    ++networks;
    const auto network = zoo::build(entry);
    ASSERT_TRUE(network);
    const auto written = export_onnx(*network);
    ASSERT_TRUE(written) << written.error().message;
    ImportOptions strict;
    strict.strict = true;
    const auto again = import_onnx(*written, entry.name, strict);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->layers.size(), network->layers.size()) << entry.name;
    for (const Mode mode : {Mode::inference, Mode::training}) {
      const auto before = graph::network_costs(*network, 3, mode);
      const auto after = graph::network_costs(*again, 3, mode);
      ASSERT_TRUE(before && after);
      ASSERT_EQ(before->layers.size(), after->layers.size()) << entry.name;
      for (std::size_t i = 0; i < before->layers.size(); ++i) {
        const Costs& a = before->layers[i].costs;
        const Costs& b = after->layers[i].costs;
        const Layer& layer = network->layers[before->layers[i].layer];
        EXPECT_EQ(layer.name, again->layers[after->layers[i].layer].name);
        EXPECT_EQ(layer.type, again->layers[after->layers[i].layer].type);
        EXPECT_EQ(network->output_sizes(layer), again->output_sizes(again->layers[after->layers[i].layer]))
            << entry.name << " " << layer.name;
        EXPECT_EQ(a.macs, b.macs) << entry.name << " " << layer.name;
        EXPECT_EQ(a.flops, b.flops) << entry.name << " " << layer.name;
        EXPECT_EQ(a.parameters, b.parameters) << entry.name << " " << layer.name;
        EXPECT_EQ(a.weight_bytes_moved, b.weight_bytes_moved) << entry.name << " " << layer.name;
        EXPECT_EQ(a.activation_bytes_read, b.activation_bytes_read) << entry.name << " " << layer.name;
        EXPECT_EQ(a.activation_bytes_written, b.activation_bytes_written) << entry.name << " " << layer.name;
        EXPECT_EQ(a.output_elements, b.output_elements) << entry.name << " " << layer.name;
      }
      EXPECT_EQ(before->totals.macs, after->totals.macs) << entry.name;
      EXPECT_EQ(before->totals.trainable, after->totals.trainable) << entry.name;
      EXPECT_EQ(before->totals.kernel_weights, after->totals.kernel_weights) << entry.name;
    }
  }
  EXPECT_GT(networks, 0);
}

INSTANTIATE_TEST_SUITE_P(Zoo, RoundTrip,
                         testing::Values("torchvision", "keras", "slim", "caffe", "darknet", "hf", "bit",
                                         "scalesim"));

// The library's checker requires external data, so missing weights are listed as inputs here.
::onnx::ModelProto with_weights_as_inputs(const std::string& bytes) {
  ::onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(bytes));
  ::onnx::GraphProto rest;
  for (const auto& tensor : model.graph().initializer()) {
    if (tensor.data_location() != ::onnx::TensorProto::EXTERNAL) {
      *rest.add_initializer() = tensor;
      continue;
    }
    auto* input = model.mutable_graph()->add_input();
    input->set_name(tensor.name());
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(tensor.data_type());
    type->mutable_shape();
    for (const std::int64_t size : tensor.dims()) type->mutable_shape()->add_dim()->set_dim_value(size);
  }
  model.mutable_graph()->mutable_initializer()->Swap(rest.mutable_initializer());
  return model;
}

TEST(ExportedOnnx, PassesTheLibraryChecker) {
  // Covers separable convolutions, functions of the domain "ergon", attention, windows and tied weights.
  for (const char* name :
       {"keras/efficientnetb0", "keras/xception", "keras/inceptionv3", "m-r50x1", "swin_v2_t", "vit_b_16",
        "convnext_base", "shufflenet_v2_x1_0", "googlenet", "yolov4-tiny", "bert_base", "llama_1b_like",
        "slim/nasnet_mobile", "caffe/alexnet", "mobilenet_v3_small"}) {
    const auto network = zoo::build(**zoo::find(name));
    ASSERT_TRUE(network);
    const auto written = export_onnx(*network);
    ASSERT_TRUE(written);
    ::onnx::ModelProto model = with_weights_as_inputs(*written);
    EXPECT_NO_THROW(::onnx::checker::check_model(model)) << name;
    const ::onnx::ShapeInferenceOptions strict(true, 1, true);
    EXPECT_NO_THROW(::onnx::shape_inference::InferShapes(model, ::onnx::OpSchemaRegistry::Instance(), strict))
        << name;
  }
}

TEST(ExportedOnnx, RejectsUnsupportedOperations) {
  Network network = *zoo::build(**zoo::find("resnet18"));
  network.nodes[1].operation = Unknown{"com.example", "Mystery", {}};
  EXPECT_EQ(export_onnx(network).error().message,
            "resnet18: layer \"conv1\": Mystery cannot be written as ONNX");
}

}  // namespace
}  // namespace ergon::graph::onnx
