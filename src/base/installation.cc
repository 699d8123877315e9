#include "base/installation.h"

#include <dlfcn.h>

namespace ergon {

namespace fs = std::filesystem;

fs::path own_file() {
  std::error_code ignored;
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&own_file), &info) != 0 && info.dli_fname != nullptr) {
    fs::path named = fs::canonical(info.dli_fname, ignored);
    // A library; a program may be named without a path.
    if (!ignored && named.has_extension()) return named;
  }
  return fs::read_symlink("/proc/self/exe", ignored);
}

// From bin/ or lib/ the prefix is one folder up, from lib/x86_64-linux-gnu/ two; from build/PRESET/bin/ the
// repository is three folders up.
std::optional<fs::path> installed_data(std::string_view name) {
  constexpr int kMaxFoldersUp = 3;
  std::error_code ignored;
  fs::path folder = own_file().parent_path();
  for (int up = 0; up < kMaxFoldersUp; ++up) {
    folder = folder.parent_path();
    fs::path installed = folder / "share/ergon/data" / name;
    if (fs::exists(installed, ignored)) return installed;
    fs::path built = folder / "data" / name;
    if (up + 1 == kMaxFoldersUp && fs::exists(built, ignored)) return built;
  }
  return std::nullopt;
}

}  // namespace ergon
