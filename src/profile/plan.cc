#include "profile/plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/random.h"
#include "base/text.h"
#include "device/twin/network_precision.h"
#include "graph/summary.h"

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

// Contract: the costs of the whole network do not overflow, so those of its parts do not either.
void add_costs(graph::Costs& sum, const graph::Costs& part) {
  sum.macs += part.macs;
  sum.flops += part.flops;
  sum.weight_bytes += part.weight_bytes;
  sum.weight_bytes_moved += part.weight_bytes_moved;
  sum.activation_bytes_read += part.activation_bytes_read;
  sum.activation_bytes_written += part.activation_bytes_written;
}

Result<graph::Costs> costs_of(const graph::Network& network, const Step& step, const RunCondition& condition,
                              bool input_gradient) {
  graph::Costs sum;
  for (const graph::NodeId id : step.nodes) {
    const auto cost = cost_of(network, network.nodes[id], {condition.batch, condition.mode, input_gradient});
    if (!cost) return cost.error();
    add_costs(sum, *cost);
  }
  return sum;
}

// Without duplicates, in order.
template <typename T>
std::vector<T> distinct(const std::vector<T>& all) {
  std::vector<T> once;
  for (const T& each : all) {
    if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(each);
  }
  return once;
}

class Planner {
 public:
  explicit Planner(const ProfileGrid& grid) : grid_(grid) {}

  Result<> add(const LoadedNetwork& candidate) {
    const auto network = std::make_shared<const graph::Network>(candidate.network);
    std::shared_ptr<const graph::Content> content;
    if (candidate.content) content = std::make_shared<const graph::Content>(*candidate.content);
    for (const graph::Mode mode : grid_.modes) {
      const auto steps = steps_of(*network, {mode, candidate.content.has_value()});
      const auto input_gradients = needs_input_gradient(*network);
      const auto precisions = precisions_of(grid_, *network);
      for (const std::int64_t batch : grid_.batches) {
        RunCondition condition{.batch = batch, .mode = mode};
        const auto bill = graph::network_costs(*network, batch, mode);
        if (!bill) return bill.error().in(candidate.name);
        PlanItem whole;
        whole.subject = {Subject::Kind::network, candidate.name, candidate.name, "",
                         inputs_of(*network, batch)};
        whole.condition = condition;
        whole.network = network;
        whole.content = content;
        whole.costs = bill->totals.sum;
        if (grid_.networks) spread(whole, precisions);
        if (auto done =
                add_operations(candidate.name, *network, steps, input_gradients, condition, precisions);
            !done)
          return done;
      }
    }
    return {};
  }

  const std::set<std::string>& found_types() const { return found_types_; }

  ProfilePlan finish() {
    Random random(grid_.seed);
    for (std::size_t left = plan_.items.size(); left > 1; --left)
      std::swap(plan_.items[left - 1], plan_.items[random.below(left)]);
    return std::move(plan_);
  }

 private:
  bool measures(const std::string& type) const {
    return grid_.operations && (grid_.operation_types.empty() || grid_.operation_types.contains(type));
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
                          const std::vector<Step>& steps, const std::vector<bool>& input_gradients,
                          const RunCondition& condition, const std::vector<device::Precision>& precisions) {
    std::map<std::string, std::int64_t> counts;
    std::vector<std::string> order;
    for (const Step& step : steps) {
      if (step.kind == Step::Kind::view) continue;
      const bool gradient = condition.mode == graph::Mode::training && input_gradients[step.nodes.front()];
      PlanItem item;
      item.subject = subject_of(network, step, condition, gradient);
      item.condition = condition;
      item.input_gradient = gradient;
      found_types_.insert(item.subject.name);
      if (counts[item.subject.id]++ == 0) order.push_back(item.subject.id);
      if (counts[item.subject.id] > 1 || !measures(item.subject.name)) continue;
      const auto planned = [&](device::Precision precision) {
        return !planned_.emplace(condition.batch, condition.mode, precision, item.subject.id).second;
      };
      std::vector<device::Precision> missing;
      std::ranges::remove_copy_if(precisions, std::back_inserter(missing), planned);
      if (missing.empty()) continue;
      const auto costs = costs_of(network, step, condition, gradient);
      if (!costs) return costs.error().in(name);
      item.costs = *costs;
      item.network = std::make_shared<const graph::Network>(network_of(network, step));
      spread(item, missing);
    }
    Composition composition{name, condition.batch, condition.mode, {}};
    for (const std::string& id : order) composition.parts.push_back({id, counts[id]});
    plan_.compositions.push_back(std::move(composition));
    return {};
  }

  // Adds the item for all these precisions, and all launches, clocks and repeats.
  void spread(const PlanItem& item, const std::vector<device::Precision>& precisions) {
    for (const device::Precision precision : precisions) {
      for (const Launch launch : grid_.launches) {
        for (const auto& clock : grid_.clocks) {
          for (std::int64_t repeat = 0; repeat < grid_.repeats; ++repeat) {
            PlanItem one = item;
            one.condition.precision = precision;
            one.condition.layout = grid_.layout.value_or(default_layout(precision));
            one.launch = launch;
            one.clock = clock;
            one.repeat = repeat;
            plan_.items.push_back(std::move(one));
          }
        }
      }
    }
  }

  const ProfileGrid& grid_;
  ProfilePlan plan_;
  std::set<std::tuple<std::int64_t, graph::Mode, device::Precision, std::string>> planned_;
  std::set<std::string> found_types_;
};

}  // namespace

std::string_view name_of(ProfilePart part) {
  return part == ProfilePart::operations ? "operations" : "networks";
}

ProfileGrid normalized(ProfileGrid grid) {
  grid.batches = distinct(grid.batches);
  grid.clocks = distinct(grid.clocks);
  grid.modes = distinct(grid.modes);
  std::sort(grid.modes.begin(), grid.modes.end());
  grid.precisions = distinct(grid.precisions);
  std::sort(grid.precisions.begin(), grid.precisions.end());
  return grid;
}

std::vector<device::Precision> precisions_of(const ProfileGrid& grid, const graph::Network& network) {
  if (!grid.precisions.empty()) return grid.precisions;
  return {device::default_precision(network)};
}

Key PlanItem::key(const std::string& device) const {
  return {subject.kind, subject.id, condition, launch, clock, device, repeat};
}

Subject subject_of(const graph::Network& network, const Step& step, const RunCondition& condition,
                   bool input_gradient) {
  Subject subject{Subject::Kind::operation, "", step.type, "", ""};
  if (step.kind != Step::Kind::attention) {
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

Result<ProfilePlan> plan(const std::vector<LoadedNetwork>& candidates, const ProfileGrid& grid) {
  Planner planner(grid);
  for (const LoadedNetwork& candidate : candidates) {
    if (auto done = planner.add(candidate); !done) return done.error();
  }
  const std::vector<std::string> found(planner.found_types().begin(), planner.found_types().end());
  for (const std::string& type : grid.operation_types) {
    if (!planner.found_types().contains(type))
      return fail(Errc::unknown_name, "no operation of type \"{}\" in these networks{}", printable(type),
                  suggestion(type, found));
  }
  return planner.finish();
}

}  // namespace ergon::profile
