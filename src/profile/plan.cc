#include "profile/plan.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "base/text.h"
#include "graph/summary.h"
#include "profile/digest.h"

namespace ergon::profile {
namespace {

std::string extents_text(const graph::Shape& shape, graph::ElementType type, std::int64_t batch) {
  std::string text;
  for (const std::int64_t extent : shape.at(batch)) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
  if (text.empty()) text = "scalar";
  if (type != graph::ElementType::float32) text += fmt::format(":{}", name_of(type));
  return text;
}

void add_word(std::string& text, std::string_view name, std::string_view value) {
  if (!text.empty()) text += ' ';
  text += fmt::format("{}={}", name, value);
}

// Contract: the whole network's bill was made before, so its parts do not overflow.
void add_costs(graph::Costs& sum, const graph::Costs& part) {
  sum.macs += part.macs;
  sum.flops += part.flops;
  sum.weight_bytes += part.weight_bytes;
  sum.weight_bytes_moved += part.weight_bytes_moved;
  sum.activation_bytes_read += part.activation_bytes_read;
  sum.activation_bytes_written += part.activation_bytes_written;
}

Result<graph::Costs> costs_of(const graph::Network& network, const Step& step, const Condition& condition,
                              bool input_gradient) {
  graph::Costs sum;
  for (const graph::NodeId id : step.nodes) {
    const auto cost = cost_of(network, network.nodes[id], {condition.batch, condition.mode, input_gradient});
    if (!cost) return cost.error();
    add_costs(sum, *cost);
  }
  return sum;
}

class Planner {
 public:
  explicit Planner(const Grid& grid) : grid_(grid) {}

  Result<> add(const Candidate& candidate) {
    const auto network = std::make_shared<const graph::Network>(candidate.network);
    std::shared_ptr<const graph::Content> content;
    if (candidate.content) content = std::make_shared<const graph::Content>(*candidate.content);
    for (const graph::Mode mode : grid_.modes) {
      const auto steps = steps_of(*network, {mode, candidate.content.has_value()});
      const auto wanted = gradient_wanted(*network);
      for (const std::int64_t batch : grid_.batches) {
        Condition condition{.batch = batch, .mode = mode};
        const auto bill = graph::bill(*network, batch, mode);
        if (!bill) return bill.error().in(candidate.name);
        Item whole;
        whole.subject = {Subject::What::network, candidate.name, candidate.name, "",
                         inputs_of(*network, batch)};
        whole.condition = condition;
        whole.network = network;
        whole.content = content;
        whole.costs = bill->totals.sum;
        if (grid_.networks) spread(whole);
        if (auto done = add_operations(candidate.name, *network, steps, wanted, condition); !done)
          return done;
      }
    }
    return {};
  }

  const std::set<std::string>& met() const { return met_; }

  Plan finish() {
    Random random(grid_.seed);
    for (std::size_t left = plan_.items.size(); left > 1; --left)
      std::swap(plan_.items[left - 1], plan_.items[random.below(left)]);
    return std::move(plan_);
  }

 private:
  bool measures(const std::string& kind) const {
    return grid_.operations && (grid_.kinds.empty() || grid_.kinds.contains(kind));
  }

  static std::string inputs_of(const graph::Network& network, std::int64_t batch) {
    std::string text;
    for (const graph::Node& node : network.nodes) {
      if (!std::holds_alternative<graph::Input>(node.operation)) continue;
      const graph::Value& value = network.values[node.outputs[0]];
      if (!text.empty()) text += ' ';
      text += extents_text(value.shape, value.type, batch);
    }
    return text;
  }

  Result<> add_operations(const std::string& name, const graph::Network& network,
                          const std::vector<Step>& steps, const std::vector<bool>& wanted,
                          const Condition& condition) {
    std::map<std::string, std::int64_t> counts;
    std::vector<std::string> order;
    for (const Step& step : steps) {
      if (step.what == Step::What::view) continue;
      const bool gradient = condition.mode == graph::Mode::training && wanted[step.nodes.front()];
      Item item;
      item.subject = subject_of(network, step, condition, gradient);
      item.condition = condition;
      item.input_gradient = gradient;
      met_.insert(item.subject.name);
      if (counts[item.subject.id]++ == 0) order.push_back(item.subject.id);
      if (counts[item.subject.id] > 1 || !measures(item.subject.name)) continue;
      if (!known_.emplace(condition.batch, condition.mode, item.subject.id).second) continue;
      const auto costs = costs_of(network, step, condition, gradient);
      if (!costs) return costs.error().in(name);
      item.costs = *costs;
      item.network = std::make_shared<const graph::Network>(network_of(network, step));
      spread(item);
    }
    Composition composition{name, condition.batch, condition.mode, {}};
    for (const std::string& id : order) composition.parts.push_back({id, counts[id]});
    plan_.compositions.push_back(std::move(composition));
    return {};
  }

  // Over all that does not change what is run.
  void spread(const Item& item) {
    for (const device::Precision precision : grid_.precisions) {
      for (const Launch launch : grid_.launches) {
        for (const auto& clock : grid_.clocks) {
          for (std::int64_t repeat = 0; repeat < grid_.repeats; ++repeat) {
            Item one = item;
            one.condition.precision = precision;
            one.condition.layout = grid_.layout.value_or(usual_layout(precision));
            one.launch = launch;
            one.clock = clock;
            one.repeat = repeat;
            plan_.items.push_back(std::move(one));
          }
        }
      }
    }
  }

  const Grid& grid_;
  Plan plan_;
  std::set<std::tuple<std::int64_t, graph::Mode, std::string>> known_;
  std::set<std::string> met_;  // kinds
};

}  // namespace

Key Item::key(const std::string& device) const {
  return {subject.what, subject.id, condition, launch, clock, device, repeat};
}

Subject subject_of(const graph::Network& network, const Step& step, const Condition& condition,
                   bool input_gradient) {
  Subject subject{Subject::What::operation, "", step.kind, "", ""};
  if (step.what != Step::What::attention) {
    const graph::Node& node = network.nodes[step.nodes.front()];
    for (const graph::Attribute& attribute : attributes_of(node.operation, network.input_shapes(node)))
      add_word(subject.attributes, attribute.name, graph::to_text(attribute.value));
  }
  for (const graph::ValueId input : step.inputs) {
    const graph::Value& value = network.values[input];
    if (!subject.inputs.empty()) subject.inputs += ' ';
    subject.inputs += extents_text(value.shape, value.type, condition.batch);
  }
  if (condition.mode == graph::Mode::training && !input_gradient)
    add_word(subject.attributes, "input_gradient", "no");
  subject.id = digest(fmt::format("{}|{}|{}", subject.name, subject.attributes, subject.inputs));
  return subject;
}

Result<Plan> plan(const std::vector<Candidate>& candidates, const Grid& grid) {
  Planner planner(grid);
  for (const Candidate& candidate : candidates) {
    if (auto done = planner.add(candidate); !done) return done.error();
  }
  const std::vector<std::string> met(planner.met().begin(), planner.met().end());
  for (const std::string& kind : grid.kinds) {
    if (!planner.met().contains(kind))
      return fail(Errc::invalid_input, "none of these networks has an operation of kind \"{}\"{}",
                  printable(kind), suggestion(kind, met));
  }
  return planner.finish();
}

}  // namespace ergon::profile
