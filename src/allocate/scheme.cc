#include "allocate/scheme.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::allocate {

std::string_view name_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::race_to_idle:
      return "rti";
    case Scheme::ideal:
      return "ideal";
    case Scheme::vf_oh:
      return "vf-oh";
    case Scheme::vf_oh_q:
      return "vf-oh-q";
    case Scheme::greedy:
      return "greedy";
    case Scheme::optimal:
      return "optimal";
    case Scheme::optimal_split:
      return "optimal-split";
  }
  return "?";
}

std::vector<Scheme> all_schemes() {
  return {Scheme::race_to_idle, Scheme::ideal,   Scheme::vf_oh,        Scheme::vf_oh_q,
          Scheme::greedy,       Scheme::optimal, Scheme::optimal_split};
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Scheme scheme : all_schemes()) names.emplace_back(name_of(scheme));
  return names;
}

Result<Scheme> scheme_of(std::string_view name) {
  for (const Scheme scheme : all_schemes()) {
    if (name_of(scheme) == lower(name)) return scheme;
  }
  const auto names = scheme_names();
  return fail(Errc::unknown_name, "unknown scheme \"{}\"{}; expected one of {}", printable(name),
              suggestion(name, names), fmt::format("{}", fmt::join(names, ", ")));
}

bool is_arada(Scheme scheme) { return scheme <= Scheme::vf_oh_q; }

bool takes_slack(Scheme scheme) { return !is_arada(scheme); }

}  // namespace ergon::allocate
