#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/content.h"
#include "profile/dataset.h"
#include "profile/row.h"
#include "profile/step.h"

namespace ergon::profile {

// A network, with weights and constants if its file contains them.
struct LoadedNetwork {
  std::string name;
  graph::Network network;
  std::optional<graph::Content> content;
};

// One row to measure.
struct PlanItem {
  Subject subject;
  RunCondition condition;
  Launch launch = Launch::eager;
  std::optional<Hertz> clock;
  std::int64_t repeat = 0;
  std::shared_ptr<const graph::Network> network;  // the network, or an operation as a network with one step
  std::shared_ptr<const graph::Content> content;
  bool input_gradient = false;
  graph::Costs costs;

  Key key(const std::string& device) const;
};

// What to measure: the product of these lists.
struct ProfileGrid {
  std::vector<std::int64_t> batches = {1};
  std::vector<graph::Mode> modes = {graph::Mode::inference};
  std::vector<device::Precision> precisions;  // empty: that of each network
  std::optional<Layout> layout;               // absent: default_layout() of each precision
  std::vector<Launch> launches = {Launch::eager};
  std::vector<std::optional<Hertz>> clocks = {std::nullopt};
  std::int64_t repeats = 1;
  bool operations = true, networks = true;
  std::set<std::string> operation_types;  // empty: all
  std::uint64_t seed = 1;
};

// Each batch and clock once, in the given order; each mode and precision once, in the order of its
// enumeration, so that the order of options does not change the plan.
ProfileGrid normalized(ProfileGrid grid);

// The precisions in which a network is measured.
std::vector<device::Precision> precisions_of(const ProfileGrid& grid, const graph::Network& network);

// What `ergon profile` measures.
enum class ProfilePart : std::uint8_t { operations, networks };
inline constexpr ProfilePart kProfileParts[] = {ProfilePart::operations, ProfilePart::networks};
std::string_view name_of(ProfilePart part);

struct ProfilePlan {
  std::vector<PlanItem> items;  // each key once, in random order
  std::vector<Composition> compositions;
};

// Errors: a batch that a network does not support; an operation type that no network contains; costs that
// overflow 64 bits.
Result<ProfilePlan> plan(const std::vector<LoadedNetwork>& candidates, const ProfileGrid& grid);

// The identity of an operation in rows: type, attributes, and input shapes at the batch.
Subject subject_of(const graph::Network& network, const Step& step, const RunCondition& condition,
                   bool input_gradient);

}  // namespace ergon::profile
