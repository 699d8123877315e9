#include "base/home_folder.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <vector>

namespace ergon {
namespace fs = std::filesystem;

namespace {

std::optional<fs::path> absolute_path(const char* path) {
  if (path == nullptr || !fs::path(path).is_absolute()) return std::nullopt;
  return fs::path(path);
}

std::optional<fs::path> home_of_account() {
  constexpr std::size_t kMaxEntry = 1 << 16;  // bytes
  std::vector<char> buffer(kMaxEntry);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0) return std::nullopt;
  const auto home = found == nullptr ? std::nullopt : absolute_path(found->pw_dir);
  return home == fs::path("/") ? std::nullopt : home;
}

}  // namespace

std::optional<fs::path> home_folder() {
  const auto from_environment = absolute_path(std::getenv("HOME"));
  return from_environment ? from_environment : home_of_account();
}

}  // namespace ergon
