#include "profile/torch_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace ergon::app {
namespace {

std::filesystem::path library_file() {
  if (const char* named = std::getenv("ERGON_TORCH"); named != nullptr && *named != '\0') return named;
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return program.parent_path().parent_path() / "lib" / "libergon_torch.so";
}

Result<const profile::torch::Door*> load() {
  const std::filesystem::path file = library_file();
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return fail(Errc::unsupported, "libtorch was left out of this build (there is no {})", file.string());
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(Errc::unsupported, "libtorch cannot be loaded: {}", ::dlerror());
  using Entrance = const profile::torch::Door* (*)();
  const auto entrance = reinterpret_cast<Entrance>(::dlsym(library, profile::torch::kDoorSymbol));
  if (entrance == nullptr) return fail(Errc::unsupported, "{} is another library", file.string());
  return entrance();
}

}  // namespace

Result<const profile::torch::Door*> torch_library() {
  static const Result<const profile::torch::Door*> loaded = load();
  return loaded;
}

}  // namespace ergon::app
