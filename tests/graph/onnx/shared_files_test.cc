// Real exports (PyTorch 2.11, opset 20) in ../shared/onnx. Skipped without them.

#include <filesystem>

#include <gtest/gtest.h>

#include "graph/onnx/onnx.h"
#include "graph/summary.h"
#include "graph/zoo/facts.h"
#include "graph/zoo/zoo.h"

namespace ergon::graph::onnx {
namespace {

const std::filesystem::path kFiles = std::filesystem::path(ERGON_REPOSITORY) / "../shared/onnx";

std::int64_t macs_of(const Totals& totals, std::initializer_list<MacType> types) {
  std::int64_t sum = 0;
  for (const MacType type : types) {
    const auto found = totals.macs.find(type);
    if (found != totals.macs.end()) sum += found->second;
  }
  return sum;
}

TEST(SharedOnnx, CostsEqualTheZoo) {
  if (!std::filesystem::exists(kFiles)) GTEST_SKIP() << "no ../shared/onnx beside the repository";
  std::map<std::string, std::int64_t> hooked;  // MACs counted by hooks on PyTorch modules
  for (const auto& row : test::fact_rows("pytorch.csv")) {
    hooked[row[0].substr(row[0].find('/') + 1)] += *parse_int64(row[4]) * *parse_int64(row[5]);
  }
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(kFiles)) {
    if (file.path().extension() != ".onnx") continue;
    ++files;
    const std::string name = file.path().stem().string();
    ImportOptions strict;
    strict.strict = true;
    const auto network = import_onnx_file(file.path().string(), strict);
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_FALSE(network->batch_is_fixed) << name;
    const auto theirs = graph::network_costs(*network, 2, Mode::inference);
    ASSERT_TRUE(theirs);
    const auto ours = graph::network_costs(*zoo::build(**zoo::find(name)), 2, Mode::inference);
    ASSERT_TRUE(ours);
    EXPECT_EQ(theirs->totals.macs, ours->totals.macs) << name;

    std::int64_t expected = 2 * hooked[name];
    // Hooks only see modules: they miss gpt2's Conv1D and the projections inside MultiheadAttention.
    if (name == "gpt2") continue;
    if (name == "vit_b_16") expected += 2 * 12 * std::int64_t{197} * 4 * 768 * 768;
    EXPECT_EQ(macs_of(theirs->totals, {MacType::conv, MacType::depthwise, MacType::dense}), expected) << name;
  }
  EXPECT_EQ(files, 20);
}

}  // namespace
}  // namespace ergon::graph::onnx
