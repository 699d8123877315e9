#include "profile/torch/program.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "profile/step.h"
#include "profile/torch/attention.h"
#include "profile/torch/instance.h"

namespace ergon::profile::torch {
namespace {

using graph::NodeId;
using graph::ValueId;

// Activations that torchvision's modules compute in place.
bool overwrites(const graph::Operation& operation) {
  if (const auto* each = std::get_if<graph::Elementwise>(&operation)) {
    switch (each->function) {
      case graph::Function::relu:
      case graph::Function::relu6:
      case graph::Function::swish:
      case graph::Function::hard_swish:
        return true;
      default:
        return false;
    }
  }
  const auto* arithmetic = std::get_if<graph::Arithmetic>(&operation);
  return arithmetic != nullptr && arithmetic->combine == graph::Combine::add && !arithmetic->weight &&
         !arithmetic->scalar;
}

bool changes_nothing_again(const graph::Operation& operation) {
  const auto* each = std::get_if<graph::Elementwise>(&operation);
  return each != nullptr &&
         (each->function == graph::Function::relu || each->function == graph::Function::relu6);
}

// Operations whose outputs may be overwritten in training, because their gradient does not need them.
bool forgets_its_result(const graph::Operation& operation) {
  return std::holds_alternative<graph::Convolution>(operation) ||
         std::holds_alternative<graph::BatchNorm>(operation) ||
         std::holds_alternative<graph::Dense>(operation) ||
         std::holds_alternative<graph::Arithmetic>(operation);
}

}  // namespace

class Program::Compiler {
 public:
  Compiler(const graph::Network& network, const graph::Content* content, const RunCondition& condition,
           bool part)
      : network_(network),
        content_(content),
        part_(part),
        batch_(condition.batch),
        mode_(condition.mode),
        precision_(scalar_type(condition.precision)),
        steps_(steps_of(network, {condition.mode, content != nullptr})),
        storage_(network.values.size()),
        last_reader_(network.values.size()) {
    for (ValueId value = 0; value < storage_.size(); ++value) storage_[value] = value;
  }

  Result<Program> compile() {
    program_.values_ = network_.values.size();
    take_inputs();
    trace_storage();
    std::set<std::string> unsupported;
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      auto call = call_of(steps_[at], at);
      if (call) {
        program_.calls_.push_back(std::move(*call));
      } else if (call.error().kind == Errc::unsupported) {
        unsupported.insert(call.error().message);
      } else {
        return call.error();
      }
    }
    if (!unsupported.empty()) {
      return fail(Errc::unsupported, "{}", fmt::join(unsupported, "; "));
    }
    return std::move(program_);
  }

 private:
  void take_inputs() {
    for (const graph::Node& node : network_.nodes) {
      if (!std::holds_alternative<graph::Input>(node.operation)) continue;
      const graph::Value& value = network_.values[node.outputs[0]];
      program_.inputs_.push_back({node.outputs[0], value.shape.at(batch_), value.type,
                                  value.shape.is_image() && value.shape.rank() == 4,
                                  bound_of(node.outputs[0])});
    }
  }

  // Indices must be valid for the smallest table that they select from.
  std::int64_t bound_of(ValueId value) const {
    std::optional<std::int64_t> min;
    for (const graph::Node& node : network_.nodes) {
      const auto* table = std::get_if<graph::Embedding>(&node.operation);
      if (table == nullptr || std::find(node.inputs.begin(), node.inputs.end(), value) == node.inputs.end())
        continue;
      min = std::min(min.value_or(table->rows), table->rows);
    }
    return min.value_or(2);
  }

  // Views share the memory of their input; a value is needed until the last reader of that memory.
  void trace_storage() {
    std::vector<bool> read(network_.values.size());
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      const Step& step = steps_[at];
      if (step.kind == Step::Kind::view && !step.inputs.empty()) {
        for (const ValueId output : network_.nodes[step.nodes[0]].outputs)
          storage_[output] = storage_[step.inputs[0]];
      }
      for (const ValueId input : step.inputs) {
        read[input] = true;
        last_reader_[input] = at;
        last_of_storage_[storage_[input]] = at;
      }
    }
    for (const ValueId output : network_.outputs) keep(output);
    if (mode_ != graph::Mode::training) return;
    for (const Step& step : steps_) {
      for (const NodeId id : step.nodes) {
        const ValueId result = network_.nodes[id].outputs[0];
        if (id == step.nodes.back() && !read[result]) keep(result);
      }
    }
  }

  void keep(ValueId value) {
    if (std::find(program_.outputs_.begin(), program_.outputs_.end(), value) == program_.outputs_.end())
      program_.outputs_.push_back(value);
    last_of_storage_[storage_[value]] = steps_.size();
    last_reader_[value] = steps_.size();
  }

  bool in_place(const Step& step, std::size_t at) const {
    if (content_ != nullptr || network_.family != "torchvision" || step.inputs.empty()) return false;
    const graph::Node& node = network_.nodes[step.nodes[0]];
    if (!overwrites(node.operation)) return false;
    const ValueId target = node.inputs[0];
    const graph::Node& producer = network_.nodes[network_.values[target].producer];
    // No other reader, and not the memory of a network input, which the next iteration reads again.
    if (std::holds_alternative<graph::Input>(producer.operation))
      return part_ && mode_ == graph::Mode::inference && changes_nothing_again(node.operation);
    if (storage_[target] != target) return false;
    if (last_of_storage_.at(target) != at || readers_of(target) != 1) return false;
    if (network_.values[target].shape != network_.values[node.outputs[0]].shape) return false;
    if (node.inputs.size() > 1 && storage_[node.inputs[1]] == target) return false;
    return mode_ == graph::Mode::inference || forgets_its_result(producer.operation);
  }

  std::size_t readers_of(ValueId value) const {
    std::size_t readers = 0;
    for (const Step& step : steps_) {
      for (const ValueId input : step.inputs) readers += storage_[input] == storage_[value];
    }
    return readers;
  }

  Result<Call> call_of(const Step& step, std::size_t at) {
    Call call;
    if (step.kind == Step::Kind::attention) {
      call.kernel = attention_kernel(network_, step);
    } else {
      std::vector<Kernel> kernels;
      for (const NodeId id : step.nodes) {
        NodeView view{network_,
                      network_.nodes[id],
                      content_ == nullptr ? nullptr : &content_->nodes[id],
                      batch_,
                      mode_,
                      step.nodes.size() == 1 && in_place(step, at),
                      program_.weights_.size(),
                      precision_,
                      part_};
        auto weights = weights_for(view);
        if (!weights) return weights.error();
        auto kernel = kernel_of(view);
        if (!kernel) return kernel.error();
        for (WeightPlan& weight : *weights) program_.weights_.push_back(std::move(weight));
        kernels.push_back(std::move(*kernel));
      }
      call.kernel = kernels.size() == 1 ? std::move(kernels[0]) : Kernel([kernels](Registers& registers) {
        for (const Kernel& kernel : kernels) kernel(registers);
      });
    }
    for (const ValueId input : step.inputs) {
      if (last_reader_[input] == at) call.released.push_back(input);
    }
    for (const NodeId id : step.nodes) {
      for (const ValueId output : network_.nodes[id].outputs) {
        const bool inside = step.nodes.size() > 1 && output != step.output;
        if (inside || (!last_reader_[output] && output != step.output)) call.released.push_back(output);
      }
    }
    return call;
  }

  const graph::Network& network_;
  const graph::Content* content_;
  bool part_;
  std::int64_t batch_;
  graph::Mode mode_;
  at::ScalarType precision_;
  std::vector<Step> steps_;
  std::vector<ValueId> storage_;  // by value: the value that owns the memory
  std::vector<std::optional<std::size_t>> last_reader_;
  std::map<ValueId, std::size_t> last_of_storage_;
  Program program_;
};

Result<Program> Program::compile(const graph::Network& network, const graph::Content* content,
                                 const RunCondition& condition, bool part) {
  return Compiler(network, content, condition, part).compile();
}

void Program::run(Registers& registers) const {
  for (const Call& call : calls_) {
    call.kernel(registers);
    for (const ValueId value : call.released) registers.values[value].reset();
  }
}

Registers Program::registers() const {
  Registers registers;
  registers.values.resize(values_);
  return registers;
}

}  // namespace ergon::profile::torch
