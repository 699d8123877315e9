#include "allocate/gpu/gpu_scheme.h"

#include <fmt/format.h>

#include "allocate/scheme.h"
#include "base/text.h"

namespace ergon::allocate {

std::string_view name_of(GpuScheme scheme) {
  switch (scheme) {
    case GpuScheme::race_to_idle:
      return "rti";
    case GpuScheme::one_clock:
      return "one-clock";
    case GpuScheme::ideal:
      return "ideal";
    case GpuScheme::vf_oh:
      return "vf-oh";
    case GpuScheme::vf_oh_q:
      return "vf-oh-q";
    case GpuScheme::greedy:
      return "greedy";
    case GpuScheme::optimal:
      return "optimal";
  }
  return "?";
}

std::vector<GpuScheme> all_gpu_schemes() {
  return {GpuScheme::race_to_idle, GpuScheme::one_clock, GpuScheme::ideal,  GpuScheme::vf_oh,
          GpuScheme::vf_oh_q,      GpuScheme::greedy,    GpuScheme::optimal};
}

std::vector<std::string> gpu_scheme_names() {
  std::vector<std::string> names;
  for (const GpuScheme scheme : all_gpu_schemes()) names.emplace_back(name_of(scheme));
  return names;
}

Result<GpuScheme> gpu_scheme_of(std::string_view name) {
  for (const GpuScheme scheme : all_gpu_schemes()) {
    if (name_of(scheme) == lower(name)) return scheme;
  }
  if (lower(name) == name_of(Scheme::optimal_split)) {
    return fail(Errc::invalid_input,
                "optimal-split is for arrays: a GPU kernel runs at one clock; use optimal");
  }
  const auto names = gpu_scheme_names();
  return fail(Errc::unknown_name, "unknown GPU scheme \"{}\"{}; expected one of {}", printable(name),
              suggestion(name, names), fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace ergon::allocate
