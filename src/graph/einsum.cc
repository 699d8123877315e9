#include "graph/einsum.h"

#include <cctype>
#include <map>

#include "base/text.h"

namespace ergon::graph {
namespace {

constexpr std::string_view kDots = "...";

struct Labels {
  std::string before, after;  // letters on both sides of the dots
  bool dots = false;
};

Result<Labels> labels_of(std::string_view term, std::string_view equation) {
  Labels labels;
  std::string* side = &labels.before;
  for (std::size_t i = 0; i < term.size(); ++i) {
    const char c = term[i];
    if (c == ' ') continue;
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      side->push_back(c);
    } else if (term.substr(i, 3) == kDots && !labels.dots) {
      labels.dots = true;
      side = &labels.after;
      i += 2;
    } else {
      return fail(Errc::invalid_input, "cannot read the equation \"{}\"", printable(equation));
    }
  }
  return labels;
}

// The extent of every label, and of the axes that "..." stands for.
struct Extents {
  std::map<char, Dim> of;
  Shape dots;

  Result<> take(char label, Dim dim) {
    const auto [entry, inserted] = of.emplace(label, dim);
    if (inserted || entry->second == dim || dim.is_one()) return {};
    if (!entry->second.is_one()) return fail(Errc::invalid_input, "label \"{}\" has two extents", label);
    entry->second = dim;
    return {};
  }
};

Result<> take_operand(Extents& extents, const Labels& labels, const Shape& shape) {
  const std::size_t named = labels.before.size() + labels.after.size();
  if (shape.rank() < named || (!labels.dots && shape.rank() != named)) {
    return fail(Errc::invalid_input, "the equation has {} labels, {} has {} axes", named, to_text(shape),
                shape.rank());
  }
  std::size_t axis = 0;
  for (const char label : labels.before) {
    if (auto taken = extents.take(label, shape[axis++]); !taken) return taken;
  }
  const std::size_t hidden = shape.rank() - named;
  if (labels.dots) {
    const auto together = broadcast(extents.dots, Shape::of(shape.dims().subspan(axis, hidden)));
    if (!together) return fail(Errc::invalid_input, "the axes of \"...\" do not broadcast");
    extents.dots = *together;
    axis += hidden;
  }
  for (const char label : labels.after) {
    if (auto taken = extents.take(label, shape[axis++]); !taken) return taken;
  }
  return {};
}

// Without "->", the result has every label that occurs once, in alphabetical order.
Labels implied_result(const std::vector<Labels>& operands) {
  std::map<char, int> uses;
  Labels result;
  for (const Labels& labels : operands) {
    for (const char label : labels.before + labels.after) ++uses[label];
    result.dots |= labels.dots;
  }
  for (const auto& [label, count] : uses) {
    if (count == 1) result.after.push_back(label);
  }
  return result;
}

}  // namespace

Result<EinsumShape> infer_einsum(std::string_view equation, std::span<const Shape> inputs) {
  const std::size_t arrow = equation.find("->");
  const auto terms = split(equation.substr(0, arrow), ',');
  if (terms.size() != inputs.size()) {
    return fail(Errc::invalid_input, "the equation \"{}\" has {} terms for {} inputs", printable(equation),
                terms.size(), inputs.size());
  }
  Extents extents;
  std::vector<Labels> operands;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    auto labels = labels_of(terms[i], equation);
    if (!labels) return labels.error();
    if (const auto taken = take_operand(extents, *labels, inputs[i]); !taken) return taken.error();
    operands.push_back(std::move(*labels));
  }
  Labels result_labels;
  if (arrow == std::string_view::npos) {
    result_labels = implied_result(operands);
  } else {
    auto labels = labels_of(equation.substr(arrow + 2), equation);
    if (!labels) return labels.error();
    result_labels = std::move(*labels);
  }

  EinsumShape sum;
  const auto room = result_labels.before.size() + result_labels.after.size() +
                    (result_labels.dots ? extents.dots.rank() : 0);
  if (room > Shape::kMaxRank) return fail(Errc::invalid_input, "the result has too many axes");
  const auto append = [&](const std::string& labels) -> Result<> {
    for (const char label : labels) {
      const auto found = extents.of.find(label);
      if (found == extents.of.end()) return fail(Errc::invalid_input, "label \"{}\" is in no operand", label);
      sum.result.push_back(found->second);
    }
    return {};
  };
  if (const auto done = append(result_labels.before); !done) return done.error();
  if (result_labels.dots) {
    for (const Dim& dim : extents.dots.dims()) sum.result.push_back(dim);
  }
  if (const auto done = append(result_labels.after); !done) return done.error();
  for (const auto& [label, dim] : extents.of) sum.label_extents.push_back(dim);
  for (const Dim& dim : extents.dots.dims()) sum.label_extents.push_back(dim);
  return sum;
}

}  // namespace ergon::graph
