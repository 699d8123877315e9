#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/onnx/declarations.h"
#include "graph/onnx/notes.h"
#include "graph/onnx/origins.h"
#include "graph/onnx/own_operations.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {

// The name a model goes by, and the folder its data may lie in.
struct Source {
  std::string name;
  std::string folder;
};

// One walk over a graph, in one reading of the batch. What it is given must outlive it.
class Importer {
 public:
  Importer(const Model& model, const std::vector<::onnx::NodeProto>& nodes, const ImportOptions& options,
           const Source& where, const BatchReading& batch, const std::set<std::string>& absent);

  // Once. Notes are taken where they are wanted.
  Result<Network> run(Notes* notes = nullptr);

 private:
  // The walk (importer.cc).
  Result<> take_initialisers();
  Result<> take_initialiser(const std::string& name, Result<Known> known);
  Result<> take_inputs();
  // What is known about a node's inputs. Every name has been provided for: the order was checked.
  std::vector<const Known*> inputs_of(const ::onnx::NodeProto& node);
  Result<> take_node(const ::onnx::NodeProto& node);
  static bool flows(const Call& call);
  Result<> take_constant(const ::onnx::NodeProto& node);
  // Shapes are known before the network runs, whatever flows.
  Result<> take_shape(const Call& call);
  Result<> set_output(const ::onnx::NodeProto& node, int i, Known known);
  // A node of constants: its results are constants.
  Result<> fold(const Call& call, const Lowered& lowered);
  // One part of a list that is split.
  static void take_part(Known& part, const Call& call, std::size_t& taken);
  Result<Network> finish();

  // Layers and what is in them (placing.cc).
  // The weights that a constant stands for: the initialisers it was computed from.
  void add_weights(std::vector<Weight>& weights, const Known& known, WeightRole role);
  // A constant where a tensor is wanted becomes a learned tensor, inside the layer that wants it.
  Result<Tensor> tensor_of(const Call& call, std::size_t i);
  // An input enters the network where it is first read, in a layer of its own unless we wrote it into
  // another.
  void enter_input(const std::string& name);
  // Inputs come before the layer that reads them, or inside it.
  void enter_inputs_of(const ::onnx::NodeProto& node, bool inside);
  void open_layer(const ::onnx::NodeProto& node);
  void start_layer(const ::onnx::NodeProto& node);
  Result<> place(const Call& call, Lowered lowered);
  // Another output of the node that gave `source`.
  Tensor alias(Tensor source, const Shape& shape, ElementType type);
  // What the onnx library says about a node of the standard.
  std::map<std::string, DeclaredShape> library_opinion(const Call& call) const;
  static Error refused();
  // Notes down the node that was placed last, and which of the call's inputs it reads, in order.
  void note(const Call& call, const std::vector<std::size_t>& read);
  Result<> take_unknown(const Call& call);

  const Model& model_;
  const std::vector<::onnx::NodeProto>& nodes_;
  const ImportOptions& options_;
  const Source& where_;
  BatchReading batch_;
  const std::set<std::string>& absent_;  // weights that the graph lists as inputs
  Declarations declarations_;
  Builder build_;
  std::unordered_map<std::string, Known> values_;
  Origins origins_;
  std::unordered_map<std::string, std::optional<OwnLayer>> waiting_inputs_;
  std::int64_t our_layer_ = -1;
  Notes* notes_ = nullptr;
};

}  // namespace ergon::graph::onnx
