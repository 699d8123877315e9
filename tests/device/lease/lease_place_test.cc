#include "device/lease/lease_place.h"

#include <gtest/gtest.h>

#include "device/lease/lease_holder.h"

namespace ergon::device {
namespace {

TEST(LeasePlace, TheStateFolderIsWhereItIsExpected) {
  const auto folder = [](const StateHints& hints) { return state_folder(hints).value().string(); };
  EXPECT_EQ(folder({"/mine", "/xdg", "/home/me", false}), "/mine");
  EXPECT_EQ(folder({"/mine", "/xdg", "/root", true}), "/mine");
  EXPECT_EQ(folder({"", "/xdg", "/root", true}), "/var/lib/ergon");
  EXPECT_EQ(folder({"", "/xdg", "/home/me", false}), "/xdg/ergon");
  EXPECT_EQ(folder({"", "relative", "/home/me", false}), "/home/me/.local/state/ergon");
  EXPECT_EQ(folder({"", "", "/home/me", false}), "/home/me/.local/state/ergon");
  EXPECT_EQ(folder({"here", "", "", false}), std::filesystem::absolute("here"));
  EXPECT_EQ(state_folder({"", "", "", false}).error().kind, Errc::not_found);
}

TEST(LeasePlace, KnowsTheBoot) {
  const auto place = lease_place("/state");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->folder, "/state/leases");
  EXPECT_EQ(place->boot.size(), 36u);  // a UUID
}

TEST(LeasePlace, SaysWhoHoldsALease) {
  EXPECT_EQ(to_text(LeaseHolder{4711, "ergon sweep", {0}}),
            "process 4711 (ergon sweep), since 1970-01-01T00:00:00Z");
  EXPECT_EQ(to_text(HeldBy{}), "another process");
  EXPECT_EQ(this_process().command, "device_tests");
}

}  // namespace
}  // namespace ergon::device
