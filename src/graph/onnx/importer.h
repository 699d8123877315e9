#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/onnx/declarations.h"
#include "graph/onnx/ergon_functions.h"
#include "graph/onnx/import_record.h"
#include "graph/onnx/initializer_sets.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {

// Name of a model, and the folder of its external data.
struct ModelLocation {
  std::string name;
  std::string folder;
};

// One pass over a graph with a given batch detection. All constructor arguments must outlive the object.
class Importer {
 public:
  Importer(const OnnxModel& model, const std::vector<::onnx::NodeProto>& nodes, const ImportOptions& options,
           const ModelLocation& where, const BatchDetection& batch,
           const std::set<std::string>& weight_inputs);

  // May be called once. Fills `record` if it is not null.
  Result<Network> run(ImportRecord* record = nullptr);

 private:
  // Graph traversal (importer.cc).
  Result<> take_initializers();
  Result<> take_initializer(const std::string& name, Result<ValueInfo> known);
  Result<> take_inputs();
  // ValueInfo of a node's inputs. Contract: nodes are in topological order, so all exist.
  std::vector<const ValueInfo*> inputs_of(const ::onnx::NodeProto& node);
  Result<> take_node(const ::onnx::NodeProto& node);
  static bool is_runtime(const NodeCall& call);
  Result<> take_constant(const ::onnx::NodeProto& node);
  // Shape, Size and Range: computed at import, even for run-time inputs.
  Result<> take_shape(const NodeCall& call);
  Result<> set_output(const ::onnx::NodeProto& node, int i, ValueInfo known);
  // Constant folding: all inputs are constants, so the outputs are too.
  Result<> fold(const NodeCall& call, const Lowered& lowered);
  // One output of a Split of a constant list.
  static void take_part(ValueInfo& part, const NodeCall& call, std::size_t& taken);
  Result<Network> finish();

  // Creation of layers and operations (layer_import.cc).
  // Adds the initializers that a constant was computed from.
  void add_weights(std::vector<Weight>& weights, const ValueInfo& known, WeightRole role);
  // An operand as a tensor. A constant becomes a Parameter operation in the layer that reads it.
  Result<Tensor> tensor_of(const NodeCall& call, std::size_t i);
  // Creates an input where it is first read, as a separate layer unless a LayerTag says otherwise.
  void enter_input(const std::string& name);
  // Creates inputs before the layer that reads them, or inside it.
  void enter_inputs_of(const ::onnx::NodeProto& node, bool inside);
  void open_layer(const ::onnx::NodeProto& node);
  void start_layer(const ::onnx::NodeProto& node);
  Result<> add_operation(const NodeCall& call, Lowered lowered);
  // Another output of the node that produced `source`.
  Tensor alias(Tensor source, const Shape& shape, ElementType type);
  // Output shapes of a standard operator, inferred by the onnx library.
  std::map<std::string, DeclaredShape> infer_with_library(const NodeCall& call) const;
  static Error unknown_cost_error();
  // Records the source of the last added node and which of the call's inputs it reads, in order.
  void note(const NodeCall& call, const std::vector<std::size_t>& read);
  Result<> take_unknown(const NodeCall& call);

  const OnnxModel& model_;
  const std::vector<::onnx::NodeProto>& nodes_;
  const ImportOptions& options_;
  const ModelLocation& where_;
  BatchDetection batch_;
  const std::set<std::string>& weight_inputs_;  // weights that the graph lists as inputs
  Declarations declarations_;
  Builder build_;
  std::unordered_map<std::string, ValueInfo> values_;
  InitializerSets initializer_sets_;
  std::unordered_map<std::string, std::optional<LayerTag>> unread_inputs_;
  std::int64_t ergon_layer_ = -1;
  ImportRecord* record_ = nullptr;
};

}  // namespace ergon::graph::onnx
