#include "profile/network_warnings.h"

#include <gtest/gtest.h>

namespace ergon::profile {
namespace {

LoadedNetwork named(const std::string& name) {
  LoadedNetwork network{name, {}, {}};
  network.network.name = name;
  return network;
}

TEST(NetworkWarnings, NameTheirNetworksUnlessTheyApplyToAll) {
  const auto warnings_of = [](const graph::Network& network) {
    std::vector<std::string> warnings;
    if (network.name != "a") warnings.emplace_back("not a");
    warnings.emplace_back("every");
    return warnings;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(network_warnings({named("a"), named("b"), named("c")}, warnings_of),
            (Texts{"every", "b, c: not a"}));
  EXPECT_EQ(network_warnings({named("b")}, warnings_of), (Texts{"not a", "every"}));
  EXPECT_EQ(network_warnings({}, warnings_of), Texts{});
}

}  // namespace
}  // namespace ergon::profile
