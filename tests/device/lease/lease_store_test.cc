#include "device/lease/lease_store.h"

#include <gtest/gtest.h>

#include "device/lease/lease_holder.h"

namespace ergon::device {
namespace {

TEST(LeaseStore, FindsTheStateFolder) {
  const auto folder = [](const StateEnvironment& environment) {
    return state_folder(environment).value().string();
  };
  EXPECT_EQ(folder({"/mine", "/xdg", "/home/me", false}), "/mine");
  EXPECT_EQ(folder({"/mine", "/xdg", "/root", true}), "/mine");
  EXPECT_EQ(folder({"", "/xdg", "/root", true}), "/var/lib/ergon");
  EXPECT_EQ(folder({"", "/xdg", "/home/me", false}), "/xdg/ergon");
  EXPECT_EQ(folder({"", "relative", "/home/me", false}), "/home/me/.local/state/ergon");
  EXPECT_EQ(folder({"", "", "/home/me", false}), "/home/me/.local/state/ergon");
  EXPECT_EQ(folder({"here", "", "", false}), std::filesystem::absolute("here"));
  EXPECT_EQ(state_folder({"", "", "", false}).error().kind, Errc::not_found);
}

TEST(LeaseStore, HasTheBootId) {
  const auto store = lease_store("/state");
  ASSERT_TRUE(store);
  EXPECT_EQ(store->folder, "/state/leases");
  EXPECT_EQ(store->boot.size(), 36u);  // a UUID
}

TEST(LeaseStore, DescribesTheHolder) {
  EXPECT_EQ(to_text(LeaseHolder{4711, "ergon sweep", {0}}),
            "process 4711 (ergon sweep), since 1970-01-01T00:00:00Z");
  EXPECT_EQ(to_text(HeldBy{}), "another process");
  EXPECT_EQ(this_process().command, "device_tests");
}

}  // namespace
}  // namespace ergon::device
