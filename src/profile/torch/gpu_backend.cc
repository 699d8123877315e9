#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "profile/torch/backend.h"

namespace ergon::profile::torch {
namespace {

class CudaRecording final : public Recording {
 public:
  CudaRecording(c10::cuda::CUDAStream stream, const std::function<void()>& work) : stream_(stream) {
    // Libraries set themselves up in the first runs, which must not be recorded.
    constexpr int kBefore = 3;
    c10::cuda::device_synchronize();
    {
      const c10::cuda::CUDAStreamGuard on(stream_);
      for (int i = 0; i < kBefore; ++i) work();
      stream_.synchronize();
      capture(work);
    }
    c10::cuda::device_synchronize();
  }
  // What a recording holds of the memory comes back only when it is asked for, and within another recording it
  // cannot be.
  ~CudaRecording() override {
    try {
      graph_.reset();
      c10::cuda::CUDACachingAllocator::emptyCache();
    } catch (const std::exception&) {
      // The device is gone; whoever asks it next will hear of that.
    }
  }
  void replay() override { graph_.replay(); }

 private:
  // A stream that is left recording spoils everything behind it.
  void capture(const std::function<void()>& work) {
    graph_.capture_begin();
    try {
      work();
    } catch (...) {
      try {
        graph_.capture_end();
      } catch (const std::exception&) {
        // It says again what `work` said.
      }
      throw;
    }
    graph_.capture_end();
  }

  c10::cuda::CUDAStream stream_;
  at::cuda::CUDAGraph graph_;
};

class GpuBackend final : public Backend {
 public:
  explicit GpuBackend(int index) : index_(index), guard_(static_cast<c10::DeviceIndex>(index)) {}

  c10::Device device() const override { return {c10::kCUDA, static_cast<c10::DeviceIndex>(index_)}; }
  Bytes cache() const override {
    return Bytes{static_cast<double>(at::cuda::getDeviceProperties(device().index())->l2CacheSize)};
  }
  bool asynchronous() const override { return true; }
  void finish() override { c10::cuda::device_synchronize(); }
  void release_memory() override { c10::cuda::CUDACachingAllocator::emptyCache(); }
  std::unique_ptr<Recording> record(const std::function<void()>& work) override {
    return std::make_unique<CudaRecording>(
        c10::cuda::getStreamFromPool(false, static_cast<c10::DeviceIndex>(index_)), work);
  }

 private:
  int index_;
  c10::cuda::CUDAGuard guard_;
};

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

Result<std::vector<CudaDevice>> cuda_devices() {
  try {
    std::vector<CudaDevice> devices;
    for (int i = 0; i < c10::cuda::device_count(); ++i) {
      const auto* properties = at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(i));
      devices.push_back({i, properties->name, uuid_text(properties->uuid)});
    }
    if (devices.empty()) return fail(Errc::unsupported, "libtorch finds no CUDA GPU on this machine");
    return devices;
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    return fail(Errc::unsupported, "libtorch cannot use CUDA here: {}", text.substr(0, text.find('\n')));
  }
}

Result<std::unique_ptr<Backend>> gpu_backend(const CudaDevice& gpu) {
  return std::unique_ptr<Backend>(std::make_unique<GpuBackend>(gpu.index));
}

}  // namespace ergon::profile::torch
