#include "serve/serve_settings.h"

#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/home_folder.h"

namespace ergon::app {
namespace {

// Sets or unsets variables, and restores them at the end.
class ServeSettingsTest : public testing::Test {
 protected:
  void set(const char* name, const std::optional<std::string>& value) {
    const char* const before = std::getenv(name);
    before_.try_emplace(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
    value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  }
  void TearDown() override {
    for (const auto& [name, value] : before_) set(name.c_str(), value);
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(ServeSettingsTest, ResultsAreNeverBelowTheWorkingFolder) {
  set("XDG_DATA_HOME", std::nullopt);
  set("HOME", "/home/someone");
  EXPECT_EQ(*ServeSettings().results_folder(), "/home/someone/.local/share/ergon");
  set("XDG_DATA_HOME", "/data");
  EXPECT_EQ(*ServeSettings().results_folder(), "/data/ergon");
  for (const char* const relative : {"", "data"}) {
    set("XDG_DATA_HOME", relative);
    EXPECT_EQ(*ServeSettings().results_folder(), "/home/someone/.local/share/ergon") << relative;
  }
  // Without HOME: the home folder of the account, or an error if it has none.
  set("HOME", std::nullopt);
  const auto folder = ServeSettings().results_folder();
  const auto home = home_folder();
  ASSERT_EQ(bool(folder), home.has_value());
  if (folder) {
    EXPECT_EQ(*folder, *home / ".local/share/ergon");
  } else {
    EXPECT_EQ(folder.error().message, "no home folder for results; give --results DIR or set HOME");
  }
  ServeSettings given;
  given.results = "here";
  EXPECT_EQ(*given.results_folder(), "here");
}

}  // namespace
}  // namespace ergon::app
