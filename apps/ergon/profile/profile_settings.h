#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "options.h"
#include "profile/test_bench/profile_run.h"

namespace ergon::app {

// --layout: a layout for all precisions, or that of each precision.
enum class LayoutOption : std::uint8_t { automatic, nchw, nhwc };
inline constexpr LayoutOption kLayoutOptions[] = {LayoutOption::automatic, LayoutOption::nchw,
                                                  LayoutOption::nhwc};
std::string_view name_of(LayoutOption option);

// Options of `ergon profile`.
struct ProfileSettings {
  std::vector<std::string> networks;
  std::optional<std::int64_t> size;
  std::string out;
  bool resume = false;

  void declare(Options& options);
  const std::string& device() const { return request_.device; }
  // Contract: the options were parsed successfully.
  profile::ProfileRequest request() const;

 private:
  profile::ProfileRequest request_;  // without the options below
  LayoutOption layout_ = LayoutOption::automatic;
  std::vector<profile::ProfilePart> parts_{profile::ProfilePart::operations, profile::ProfilePart::networks};
  std::vector<std::string> operation_types_;
  std::optional<Seconds> duration_, warm_up_;
  std::optional<std::int64_t> repeats_;
  bool replay_ = false;
};

}  // namespace ergon::app
