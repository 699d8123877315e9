#include "graph/zoo/zoo.h"

#include <set>

#include <gtest/gtest.h>

namespace ergon::graph::zoo {
namespace {

TEST(Zoo, NameWithoutFamilyMeansTheFirstFamily) {
  EXPECT_EQ((*find("resnet50"))->family, "torchvision");
  EXPECT_EQ((*find("resnet101"))->family, "torchvision");
  EXPECT_EQ((*find("keras/resnet101"))->family, "keras");
  EXPECT_EQ((*find("inception_v3"))->family, "torchvision");
  EXPECT_EQ((*find("slim/inception_v3"))->family, "slim");
  EXPECT_EQ((*find("alexnet"))->family, "torchvision");
  EXPECT_EQ((*find("caffe/alexnet"))->family, "caffe");
  EXPECT_EQ((*find("MobileNet"))->family, "scalesim");
}

TEST(Zoo, ListsFamiliesInLookupOrder) {
  std::vector<std::string> families;
  std::set<std::string> names;
  for (const Entry& entry : entries()) {
    if (families.empty() || families.back() != entry.family) families.push_back(entry.family);
    EXPECT_TRUE(names.insert(entry.family + "/" + entry.name).second) << entry.name;
  }
  EXPECT_EQ(families, (std::vector<std::string>{"torchvision", "keras", "slim", "caffe", "darknet", "hf",
                                                "bit", "scalesim", "arada"}));
  EXPECT_EQ(names.size(), 133U);
}

TEST(Zoo, FindIgnoresCase) {
  EXPECT_EQ(*find("ResNet50"), *find("resnet50"));
  EXPECT_EQ(*find("Keras/ResNet101"), *find("keras/resnet101"));
}

TEST(Zoo, FindSuggestsTheNearestName) {
  EXPECT_EQ(find("resnet5o").error().message,
            "unknown network \"resnet5o\" (did you mean \"resnet50\"?); run \"ergon zoo\" for a list");
  EXPECT_EQ(find("keras/resnet50").error().kind, Errc::unknown_name);
}

struct Published {
  const char* name;
  std::int64_t parameters;
};

// From the model cards of torchvision and Hugging Face.
constexpr Published kPublished[] = {{"alexnet", 61'100'840},
                                    {"convnext_base", 88'591'464},
                                    {"densenet201", 20'013'928},
                                    {"efficientnet_b4", 19'341'616},
                                    {"efficientnet_b5", 30'389'784},
                                    {"efficientnet_v2_m", 54'139'356},
                                    {"mnasnet1_0", 4'383'312},
                                    {"mobilenet_v3_large", 5'483'032},
                                    {"mobilenet_v3_small", 2'542'856},
                                    {"regnet_x_400mf", 5'495'976},
                                    {"regnet_y_8gf", 39'381'472},
                                    {"resnet18", 11'689'512},
                                    {"resnet34", 21'797'672},
                                    {"resnet101", 44'549'160},
                                    {"resnet152", 60'192'808},
                                    {"resnext50_32x4d", 25'028'904},
                                    {"vgg11_bn", 132'868'840},
                                    {"vgg19", 143'667'240},
                                    {"wide_resnet50_2", 68'883'240},
                                    {"swin_t", 28'288'354},
                                    {"swin_b", 87'768'224},
                                    {"swin_v2_t", 28'351'570},
                                    {"swin_v2_b", 87'930'848},
                                    {"vit_b_16", 86'567'656},
                                    {"vit_b_32", 88'224'232},
                                    {"distilbert", 66'362'880},
                                    {"bert_base", 109'482'240},
                                    {"gpt2", 124'439'808},
                                    {"llama_1b_like", 1'235'814'400}};

TEST(Zoo, HasThePublishedParameters) {
  for (const Published& row : kPublished) {
    const auto network = build(**find(row.name));
    ASSERT_TRUE(network) << row.name;
    const auto costs = graph::network_costs(*network, 1, Mode::inference);
    ASSERT_TRUE(costs);
    EXPECT_EQ(costs->totals.trainable, row.parameters) << row.name;
  }
}

// Networks with auxiliary heads have PyTorch's parameter count in training.
TEST(Zoo, AuxiliaryHeadsExistInTraining) {
  for (const auto& [name, parameters] : {Published{"inception_v3", 27'161'264}, {"googlenet", 13'004'888}}) {
    const auto network = build(**find(name));
    ASSERT_TRUE(network);
    EXPECT_EQ(graph::network_costs(*network, 1, Mode::training)->totals.trainable, parameters);
    EXPECT_LT(graph::network_costs(*network, 1, Mode::inference)->totals.trainable, parameters);
  }
}

TEST(Zoo, EveryNetworkIsLinearInItsBatch) {
  for (const Entry& entry : entries()) {
    const auto network = build(entry);
    ASSERT_TRUE(network) << entry.name << ": " << network.error().message;
    for (const Mode mode : {Mode::inference, Mode::training}) {
      const auto one = graph::network_costs(*network, 1, mode);
      const auto two = graph::network_costs(*network, 2, mode);
      const auto five = graph::network_costs(*network, 5, mode);
      ASSERT_TRUE(one && two && five);
      // Swin v2 computes a position bias once per iteration; all other costs scale with the batch.
      const auto grows = [&](auto field) {
        const std::int64_t step = two->totals.sum.*field - one->totals.sum.*field;
        EXPECT_EQ(five->totals.sum.*field, one->totals.sum.*field + 4 * step) << entry.name;
        EXPECT_GE(step, 0);
      };
      grows(&Costs::macs);
      grows(&Costs::flops);
      grows(&Costs::activation_bytes_read);
      grows(&Costs::activation_bytes_written);
      EXPECT_EQ(one->totals.sum.parameters, five->totals.sum.parameters);
      if (entry.name.find("swin_v2") == std::string::npos) {
        EXPECT_EQ(five->totals.sum.macs, 5 * one->totals.sum.macs) << entry.name;
      }
    }
  }
}

TEST(Zoo, TotalsAreTheSumsOfLayersAndOfOperations) {
  for (const Entry& entry : entries()) {
    const auto network = build(entry);
    ASSERT_TRUE(network);
    for (const Mode mode : {Mode::inference, Mode::training}) {
      const auto costs = graph::network_costs(*network, 3, mode);
      const auto operations = unique_operations(*network, 3, mode);
      ASSERT_TRUE(costs && operations);
      std::int64_t layer_macs = 0, layer_bytes = 0, operation_macs = 0, operation_bytes = 0;
      for (const LayerCosts& row : costs->layers) {
        layer_macs += row.costs.macs;
        layer_bytes += row.costs.bytes_moved();
      }
      for (const UniqueOperation& operation : *operations) {
        operation_macs += operation.count * operation.each.macs;
        operation_bytes += operation.count * operation.each.bytes_moved();
      }
      EXPECT_EQ(layer_macs, costs->totals.sum.macs) << entry.name;
      EXPECT_EQ(operation_macs, costs->totals.sum.macs) << entry.name;
      EXPECT_EQ(layer_bytes, costs->totals.sum.bytes_moved()) << entry.name;
      EXPECT_EQ(operation_bytes, costs->totals.sum.bytes_moved()) << entry.name;
    }
  }
}

TEST(Zoo, BuildsOtherSizes) {
  for (const char* name : {"resnet18", "efficientnet_b1", "swin_t", "densenet121", "keras/nasnetmobile",
                           "slim/resnet_v2_50", "darknet/yolov4-tiny", "m-r50x1", "convnext_base"}) {
    const auto small = build(**find(name), {.size = 160});
    ASSERT_TRUE(small) << name << ": " << small.error().message;
    const auto standard = build(**find(name));
    EXPECT_LT(graph::network_costs(*small, 1, Mode::inference)->totals.sum.macs,
              graph::network_costs(*standard, 1, Mode::inference)->totals.sum.macs)
        << name;
  }
  const auto longer = build(**find("gpt2"), {.sequence = 1024});
  ASSERT_TRUE(longer);
}

TEST(Zoo, RejectsUnsupportedInputSizes) {
  EXPECT_EQ(build(**find("vit_b_16"), {.size = 225}).error().message,
            "vit_b_16: image size 225 is not a multiple of the patch size 16");
  EXPECT_EQ(build(**find("gpt2"), {.sequence = 2000}).error().message,
            "gpt2: 2000 tokens exceed the maximum sequence of 1024");
  EXPECT_EQ(build(**find("gpt2"), {.size = 224}).error().message,
            "hf/gpt2 does not support --size: its input is not an image");
  EXPECT_EQ(build(**find("resnet18"), {.sequence = 128}).error().message,
            "torchvision/resnet18 does not support --sequence: its input is not text");
}

// Every size gives a network or an error; no crash.
TEST(Zoo, HandlesSmallAndHugeSizes) {
  for (const Entry& entry : entries()) {
    if (!takes_images(entry)) continue;
    for (const std::int64_t size : {1, 2, 3, 7, 31, 75, 97, 1 << 20}) {
      const auto network = build(entry, {.size = size});
      if (network) {
        (void)graph::network_costs(*network, 1, Mode::training);
      } else {
        EXPECT_FALSE(network.error().message.empty());
      }
    }
    const auto huge = build(entry, {.size = std::int64_t{1} << 31});
    if (huge) {
      EXPECT_FALSE(graph::network_costs(*huge, 1, Mode::inference)) << entry.name;
    }
  }
}

}  // namespace
}  // namespace ergon::graph::zoo
