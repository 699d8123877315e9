// ONNX files. Any bytes give an error or a network. Its cost is a number or an overflow error, fusing idioms
// preserves its MACs, and exporting and importing it again preserves its cost.
//
// The input is a model in protobuf wire format. For a readable corpus, the prefix "text:" means protobuf text
// format and "hex:" means hexadecimal digits.

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>
#include <string>

#include "graph/idioms/idioms.h"
#include "graph/onnx/onnx.h"
#include "graph/summary.h"
#include "graph/topology.h"

namespace {

using namespace ergon::graph;

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string decoded(std::string_view input) {
  if (input.starts_with("text:")) {
    const google::protobuf::LogSilencer quiet;
    ::onnx::ModelProto model;
    if (!google::protobuf::TextFormat::ParseFromString(std::string(input.substr(5)), &model)) return "";
    return model.SerializeAsString();
  }
  if (!input.starts_with("hex:")) return std::string(input);
  std::string bytes;
  int high = -1;
  for (const char c : input.substr(4)) {
    const int value = digit(c);
    if (value < 0) continue;
    if (high < 0) {
      high = value;
    } else {
      bytes.push_back(static_cast<char>(high * 16 + value));
      high = -1;
    }
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = decoded({reinterpret_cast<const char*>(data), size});
  const auto network = ergon::graph::onnx::import_onnx(bytes, "fuzz", {});
  if (!network) return network.error().message.empty() ? (std::abort(), 0) : 0;
  const std::int64_t batch = network->default_batch.value_or(3);
  if (batch < 1) std::abort();
  const auto before = network_costs(*network, batch, Mode::training);
  const auto operations = unique_operations(*network, batch, Mode::training);
  if (before && !operations) std::abort();
  // Fusing idioms preserves all products.
  const auto fused = network_costs(fuse_idioms(*network), batch, Mode::inference);
  const auto as_written = network_costs(*network, batch, Mode::inference);
  if (as_written && fused && fused->totals.sum.macs != as_written->totals.sum.macs) std::abort();
  for (const auto form : {TopologyForm::convolutions, TopologyForm::products})
    (void)topology_of(*network, form);
  const auto written = ergon::graph::onnx::export_onnx(*network);
  if (!before || !written) return 0;
  const auto again = ergon::graph::onnx::import_onnx(*written, "again", {});
  if (!again) return 0;
  const auto after =
      network_costs(*again, again->batch_is_fixed ? again->default_batch.value_or(1) : batch, Mode::training);
  if (after && !again->batch_is_fixed && !network->batch_is_fixed &&
      after->totals.sum.macs != before->totals.sum.macs) {
    std::abort();
  }
  return 0;
}
