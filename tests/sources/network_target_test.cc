#include "sources/network_target.h"

#include <gtest/gtest.h>

#include "graph/onnx/onnx.h"
#include "graph/zoo/zoo.h"

namespace ergon::sources {
namespace {

using graph::TopologyForm;

graph::Network alexnet() { return graph::zoo::build(*graph::zoo::find("alexnet").value()).value(); }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(NetworkTarget, WritesOnnxFiles) {
  const auto exported = graph::onnx::export_onnx(alexnet());
  if (!exported) GTEST_SKIP() << "built without the onnx library";
  EXPECT_EQ((NetworkTarget{"net.ONNX", {}}.contents(alexnet()).value()), *exported);
}

TEST(NetworkTarget, WritesTopologyFiles) {
  const graph::Network network = alexnet();
  const std::string convolutions = NetworkTarget{"net.csv", {}}.contents(network).value();
  EXPECT_EQ(convolutions, (NetworkTarget{"net.csv", TopologyForm::convolutions}.contents(network).value()));
  EXPECT_NE(first_line(convolutions).find("IFMAP Height"), std::string::npos) << first_line(convolutions);
  const std::string products = NetworkTarget{"net.csv", TopologyForm::products}.contents(network).value();
  EXPECT_NE(first_line(products).find("M, N, K"), std::string::npos) << first_line(products);
}

TEST(NetworkTarget, RejectsOtherEndingsAndSuperfluousForms) {
  EXPECT_EQ((NetworkTarget{"net.txt", {}}.contents(alexnet()).error().message),
            "net.txt: expected a file name that ends in .onnx or .csv");
  EXPECT_EQ((NetworkTarget{"net.onnx", TopologyForm::products}.contents(alexnet()).error().message),
            "--form applies to .csv files only, not to net.onnx");
}

}  // namespace
}  // namespace ergon::sources
