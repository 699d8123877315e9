// ONNX files. Any bytes give an error or a network. Its cost is a number or an overflow error, fusing idioms
// preserves its MACs, and exporting and importing it again preserves its cost.
//
// The input is a model in protobuf wire format. For a readable corpus, the prefix "text:" means protobuf text
// format and "hex:" means hexadecimal digits.

#include <cstdint>
#include <cstdlib>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>
#include <string>

#include "fuzz/hex.h"
#include "fuzz/onnx_mutator.h"
#include "graph/idioms/idioms.h"
#include "graph/onnx/onnx.h"
#include "graph/summary.h"
#include "graph/topology.h"

namespace {

using namespace ergon::graph;

std::string decoded(std::string_view input) {
  if (input.starts_with("text:")) {
    const google::protobuf::LogSilencer quiet;
    ::onnx::ModelProto model;
    if (!google::protobuf::TextFormat::ParseFromString(std::string(input.substr(5)), &model)) return "";
    return model.SerializeAsString();
  }
  return ergon::fuzz::bytes_of(input);
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

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const google::protobuf::LogSilencer quiet;
  const ergon::fuzz::Input input{data, size, max_size};
  ergon::Random random(seed);
  ::onnx::ModelProto model;
  if (ergon::fuzz::one_in(random, 16) || !model.ParsePartialFromString(decoded(input.text())))
    return input.mutate_bytes();
  ergon::fuzz::mutate_model(model, random);
  const std::string bytes = model.SerializePartialAsString();
  return bytes.size() <= max_size ? input.replace(bytes) : input.mutate_bytes();
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  using ergon::fuzz::text_of;
  const google::protobuf::LogSilencer quiet;
  ::onnx::ModelProto model, other;
  (void)model.ParsePartialFromString(decoded(text_of(first, first_size)));
  (void)other.ParsePartialFromString(decoded(text_of(second, second_size)));
  ergon::Random random(seed);
  ergon::fuzz::cross_models(model, other, random);
  const std::string bytes = model.SerializePartialAsString();
  return ergon::fuzz::Input{out, 0, max_size}.replace(bytes.size() <= max_size ? bytes : "");
}
