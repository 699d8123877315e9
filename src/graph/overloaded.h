#pragma once

namespace ergon::graph {

// One lambda per alternative of a variant, for std::visit.
template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace ergon::graph
