// Inlines functions and sorts the nodes of a graph topologically.

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.h"
#include "base/units_text.h"
#include "graph/onnx/model.h"

namespace ergon::graph::onnx {
namespace {

using ::onnx::NodeProto;

constexpr std::size_t kMaxInlinedNodes = 200'000;  // limit of nodes and calls added by functions
constexpr int kMaxInlineDepth = 64;

// Replaces calls of the model's functions by their bodies. Inner values are prefixed with the call's name.
class Inliner {
 public:
  Inliner(const ::onnx::ModelProto& model, const InputLimits& limits) : limits_(limits) {
    for (const auto& function : model.functions())
      functions_[key(function.domain(), function.name())] = &function;
  }

  Result<std::vector<NodeProto>> run(const google::protobuf::RepeatedPtrField<NodeProto>& nodes) {
    for (const NodeProto& node : nodes) {
      if (const auto done = add(node, 0); !done) return done.error();
    }
    return std::move(flat_);
  }

 private:
  static std::string key(const std::string& domain, const std::string& name) { return domain + "\n" + name; }

  Result<> add(const NodeProto& node, int depth) {
    const auto found = functions_.find(key(node.domain(), node.op_type()));
    if (found == functions_.end() || node.domain() == kErgonDomain) {
      flat_.push_back(node);
      return {};
    }
    if (inlined_ > kMaxInlinedNodes) {
      return fail(Errc::unsupported, "{}: inlining its functions gives more than {} nodes", describe(node),
                  kMaxInlinedNodes);
    }
    if (depth >= kMaxInlineDepth) {
      return fail(Errc::invalid_input, "{}: recursive functions are not supported", describe(node));
    }
    return inline_call(node, *found->second, depth);
  }

  Result<> inline_call(const NodeProto& call, const ::onnx::FunctionProto& function, int depth) {
    const std::string scope =
        fmt::format("{}#{}/", call.output_size() > 0 ? call.output(0) : call.op_type(), ++calls_);
    std::map<std::string, std::string> names;
    for (int i = 0; i < function.input_size(); ++i) {
      names[function.input(i)] = i < call.input_size() ? call.input(i) : "";
    }
    for (int i = 0; i < function.output_size(); ++i) {
      names[function.output(i)] = i < call.output_size() ? call.output(i) : scope + function.output(i);
    }
    const auto renamed = [&](const std::string& name) {
      if (name.empty()) return name;
      const auto known = names.find(name);
      return known != names.end() ? known->second : scope + name;
    };
    const auto rename = [&](google::protobuf::RepeatedPtrField<std::string>& all) {
      for (std::string& name : all) {
        name = renamed(name);
        if (!take(name.size())) return false;
      }
      return true;
    };
    for (const NodeProto& inner : function.node()) {
      ++inlined_;  // empty functions count too
      if (!take(scope.size() + inner.ByteSizeLong())) return too_large(call);
      NodeProto copy = inner;
      copy.set_name(scope + (inner.name().empty() ? inner.op_type() : inner.name()));
      if (!rename(*copy.mutable_input()) || !rename(*copy.mutable_output()) ||
          !resolve_attributes(copy, call)) {
        return too_large(call);
      }
      if (auto done = add(copy, depth + 1); !done) return done;
    }
    return {};
  }

  // Names grow with every call inside a call, and a large attribute may be copied many times. False if all
  // copies together are too large.
  bool take(std::size_t bytes) {
    inlined_bytes_ += bytes;
    return inlined_bytes_ <= limits_.file_bytes;
  }

  Error too_large(const NodeProto& call) const {
    return fail(Errc::invalid_input, "{}: inlining its functions gives more than {}; {}", describe(call),
                to_text(Bytes{static_cast<double>(limits_.file_bytes)}), how_to_raise("file", "SIZE"));
  }

  // An attribute in the body may refer to an attribute of the call; if the call omits it, it is omitted.
  // False if the copies are too large.
  bool resolve_attributes(NodeProto& node, const NodeProto& call) {
    NodeProto resolved;
    for (const auto& attribute : node.attribute()) {
      if (attribute.ref_attr_name().empty()) {
        *resolved.add_attribute() = attribute;
        continue;
      }
      for (const auto& given : call.attribute()) {
        if (given.name() != attribute.ref_attr_name()) continue;
        if (!take(given.ByteSizeLong())) return false;
        auto* copy = resolved.add_attribute();
        *copy = given;
        copy->set_name(attribute.name());
      }
    }
    node.mutable_attribute()->Swap(resolved.mutable_attribute());
    return true;
  }

  const InputLimits& limits_;
  std::unordered_map<std::string, const ::onnx::FunctionProto*> functions_;
  std::vector<NodeProto> flat_;
  std::size_t calls_ = 0;
  std::size_t inlined_ = 0;
  std::uint64_t inlined_bytes_ = 0;
};

class Sorter {
 public:
  Sorter(const ::onnx::GraphProto& graph, std::vector<NodeProto> nodes) : nodes_(std::move(nodes)) {
    for (const auto& input : graph.input()) given_.insert(input.name());
    for (const auto& weight : graph.initializer()) given_.insert(weight.name());
    for (const auto& weight : graph.sparse_initializer()) given_.insert(weight.values().name());
  }

  Result<std::vector<NodeProto>> run() {
    if (const auto done = find_producers(); !done) return done.error();
    if (const auto done = find_readers(); !done) return done.error();
    // Ready nodes are taken in file order, so that a sorted file keeps its order.
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (waiting_[i] == 0) ready.push(i);
    }
    std::vector<std::size_t> order;
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for (const std::size_t reader : readers_[order.back()]) {
        if (--waiting_[reader] == 0) ready.push(reader);
      }
    }
    if (order.size() < nodes_.size()) {
      const auto stuck =
          std::find_if(waiting_.begin(), waiting_.end(), [](std::size_t left) { return left > 0; });
      return fail(Errc::invalid_input, "{}: the graph has a cycle here",
                  describe(nodes_[static_cast<std::size_t>(stuck - waiting_.begin())]));
    }
    std::vector<NodeProto> sorted;
    sorted.reserve(nodes_.size());
    for (const std::size_t i : order) sorted.push_back(std::move(nodes_[i]));
    return sorted;
  }

 private:
  Result<> find_producers() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const std::string& name : nodes_[i].output()) {
        if (name.empty()) continue;
        if (!producers_.emplace(name, i).second || given_.contains(name)) {
          return fail(Errc::invalid_input, "{}: duplicate value \"{}\"", describe(nodes_[i]),
                      printable(name));
        }
      }
    }
    return {};
  }

  Result<> find_readers() {
    readers_.resize(nodes_.size());
    waiting_.resize(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      std::unordered_set<std::size_t> sources;
      for (const std::string& name : nodes_[i].input()) {
        if (name.empty() || given_.contains(name)) continue;
        const auto found = producers_.find(name);
        if (found == producers_.end()) {
          return fail(Errc::invalid_input, "{}: input \"{}\" is undefined (missing initializer?)",
                      describe(nodes_[i]), printable(name));
        }
        sources.insert(found->second);
      }
      for (const std::size_t source : sources) readers_[source].push_back(i);
      waiting_[i] = sources.size();
    }
    return {};
  }

  std::vector<NodeProto> nodes_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::size_t> producers_;
  std::vector<std::vector<std::size_t>> readers_;
  std::vector<std::size_t> waiting_;
};

}  // namespace

Result<std::vector<::onnx::NodeProto>> ordered_nodes(const OnnxModel& model, const InputLimits& limits) {
  auto flat = Inliner(model.proto, limits).run(model.proto.graph().node());
  if (!flat) return flat.error();
  return Sorter(model.proto.graph(), std::move(*flat)).run();
}

}  // namespace ergon::graph::onnx
