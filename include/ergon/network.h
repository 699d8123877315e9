#pragma once

// Networks and what one iteration of them costs: arithmetic, memory traffic, parameters.
//
//   auto network = ergon::Network::load("resnet50");
//   if (!network) return network.error();
//   auto cost = network->cost(32);  // cost->total.macs, cost->layers

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ergon/export.h"
#include "ergon/result.h"
#include "ergon/units.h"

namespace ergon {

// Inference is one forward pass; training is one forward and one backward pass, without loss and optimizer.
enum class Mode : std::uint8_t { inference, training };
ERGON_API std::string_view name_of(Mode mode);

// Data type of the arithmetic. `tf32` is PyTorch's default: convolutions in TF32 on tensor cores, other
// matrix products in fp32.
enum class Precision : std::uint8_t { fp32, tf32, bf16, fp16 };
ERGON_API std::string_view name_of(Precision precision);

// Options of Network::load(). Each applies to some networks only; load() fails if one does not apply.
struct NetworkOptions {
  std::optional<std::int64_t> image_size = {};  // side of the square input image in pixels: zoo networks
  std::optional<std::int64_t> sequence = {};    // tokens per sequence: language models of the zoo
  std::map<std::string, std::int64_t> dimensions = {};  // sizes of symbolic dimensions: ONNX files
  bool strict = false;                                  // fail on operations of unknown cost: ONNX files
};

// Cost of an operation, a layer or a network, for one iteration. A multiply-accumulate (MAC) counts as two
// FLOPs. Every operation reads its inputs and writes its outputs once, as if no cache kept data between
// kernels.
struct Cost {
  std::int64_t macs = 0;
  std::int64_t flops = 0;
  std::int64_t parameters = 0;  // stored values, running statistics included
  std::int64_t output_elements = 0;
  Bytes weights;        // size of the parameters in memory
  Bytes weights_moved;  // reads and writes of weights and their gradients
  Bytes activations_read, activations_written;

  Bytes bytes_moved() const { return weights_moved + activations_read + activations_written; }
  // Arithmetic intensity: FLOPs per byte moved; 0 if no bytes move.
  double intensity() const {
    return bytes_moved() > Bytes{0} ? static_cast<double>(flops) / bytes_moved().si() : 0;
  }
};

// One operation of a layer. Shapes are those at the requested batch, channels first.
struct OperationCost {
  std::string type;        // "conv", "depthwise_conv", "dense", "batch_norm", "relu", "add", ...
  std::string attributes;  // "kernel=3x3 stride=2x2 out=64"
  std::vector<std::vector<std::int64_t>> inputs;
  std::vector<std::vector<std::int64_t>> outputs;
  bool known = true;  // false: an operation of unknown cost; `cost` is 0
  Cost cost;
};

// One layer, as the network's framework defines it.
struct LayerCost {
  std::string name;
  std::string type;                       // the framework's name: "Conv2D", "BatchNorm2d", "Relu"
  std::vector<std::string> inputs;        // names of the layers whose outputs it reads
  std::vector<OperationCost> operations;  // in order
  Cost cost;                              // sum over the operations
};

struct NetworkCost {
  std::int64_t batch = 1;
  Mode mode = Mode::inference;
  Cost total;
  std::int64_t trainable_parameters = 0;  // without running statistics
  std::vector<LayerCost> layers;          // those that exist in this mode, in topological order
  // Operations of unknown cost: "domain.Type" and their count. Their cost is not part of any sum.
  std::map<std::string, std::int64_t> unknown;
};

// A network: operations with shapes and a symbolic batch. A cheap handle; copies share the same network.
// Immutable, so any thread may use it.
class ERGON_API Network {
 public:
  // `name_or_file`: a name of the zoo ("resnet50", "keras/resnet101"), an .onnx file or a SCALE-Sim topology
  // .csv file. Names ignore case. Weights of ONNX files are not needed and not read. Errors: unknown_name
  // with the nearest name; not_found; invalid_input for a damaged file (the message names the node or the
  // line).
  static Result<Network> load(const std::string& name_or_file, const NetworkOptions& options = {});

  const std::string& name() const;    // "resnet50"
  const std::string& family() const;  // "torchvision", "keras", ..., or "onnx" and "topology" for files
  // The batch in the network's file; absent if it has none.
  std::optional<std::int64_t> default_batch() const;
  // The network runs at its default batch only.
  bool batch_is_fixed() const;

  // Cost of one iteration. Errors: a batch that the network does not support; counts beyond 64 bits.
  Result<NetworkCost> cost(std::int64_t batch = 1, Mode mode = Mode::inference) const;

 private:
  friend struct Access;
  struct State;
  explicit Network(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

// A network of the zoo.
struct ZooNetwork {
  std::string family, name;
  std::optional<std::int64_t> image_size, sequence;  // default input; absent: not applicable
};

// All built-in networks, grouped by family. A name without a family finds the first network of that name.
ERGON_API std::vector<ZooNetwork> zoo_networks();

}  // namespace ergon
