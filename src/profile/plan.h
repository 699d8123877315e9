#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/content.h"
#include "profile/dataset.h"
#include "profile/row.h"
#include "profile/step.h"

namespace ergon::profile {

// A network to be measured, with its own numbers where its file has them.
struct Candidate {
  std::string name;
  graph::Network network;
  std::optional<graph::Content> content;
};

// One row that is to be measured.
struct Item {
  Subject subject;
  Condition condition;
  Launch launch = Launch::eager;
  std::optional<Hertz> clock;
  std::int64_t repeat = 0;
  std::shared_ptr<const graph::Network> network;  // the whole one, or an operation as one of its own
  std::shared_ptr<const graph::Content> content;
  bool input_gradient = false;
  graph::Costs costs;

  Key key(const std::string& device) const;
};

struct Grid {
  std::vector<std::int64_t> batches = {1};
  std::vector<graph::Mode> modes = {graph::Mode::inference};
  std::vector<device::Precision> precisions = {device::Precision::tf32};
  std::optional<Layout> layout;  // nothing: what each precision is usually run in
  std::vector<Launch> launches = {Launch::eager};
  std::vector<std::optional<Hertz>> clocks = {std::nullopt};
  std::int64_t repeats = 1;
  bool operations = true, networks = true;
  std::set<std::string> kinds;  // of operations; empty: all
  std::uint64_t seed = 1;
};

struct Plan {
  std::vector<Item> items;  // each key once, in random order
  std::vector<Composition> compositions;
};

// Errors: a batch that a network cannot run at; a kind that none consists of; counts beyond 64 bits.
Result<Plan> plan(const std::vector<Candidate>& candidates, const Grid& grid);

// An operation as rows name it: its attributes in words, its inputs' extents at a batch.
Subject subject_of(const graph::Network& network, const Step& step, const Condition& condition,
                   bool input_gradient);

}  // namespace ergon::profile
