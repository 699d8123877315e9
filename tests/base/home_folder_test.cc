#include "base/home_folder.h"

#include <cstdlib>
#include <pwd.h>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ergon {
namespace {

class HomeFolder : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* const home = std::getenv("HOME")) home_ = home;
  }
  void TearDown() override { home_ ? ::setenv("HOME", home_->c_str(), 1) : ::unsetenv("HOME"); }

  static std::optional<std::filesystem::path> of_account() {
    const passwd* const entry = ::getpwuid(::geteuid());
    if (entry == nullptr || *entry->pw_dir != '/' || std::string(entry->pw_dir) == "/") return std::nullopt;
    return entry->pw_dir;
  }

  std::optional<std::string> home_;
};

TEST_F(HomeFolder, IsThatOfTheEnvironment) {
  ::setenv("HOME", "/somewhere/else", 1);
  EXPECT_EQ(home_folder(), "/somewhere/else");
}

TEST_F(HomeFolder, IsThatOfTheAccountWithoutHome) {
  ::unsetenv("HOME");
  EXPECT_EQ(home_folder(), of_account());
}

TEST_F(HomeFolder, IsNeverRelative) {
  for (const char* const home : {"", ".", "home"}) {
    ::setenv("HOME", home, 1);
    EXPECT_EQ(home_folder(), of_account()) << home;
  }
}

}  // namespace
}  // namespace ergon
