#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
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
  CudaRecording(c10::cuda::CUDAStream stream, const std::function<void()>& work, const CudaRecording* sharing)
      : stream_(stream) {
    // Libraries initialize during the first runs, which must not be recorded.
    constexpr int kBefore = 3;
    c10::cuda::device_synchronize();
    {
      const c10::cuda::CUDAStreamGuard on(stream_);
      for (int i = 0; i < kBefore; ++i) work();
      stream_.synchronize();
      capture(work, sharing);
    }
    c10::cuda::device_synchronize();
  }
  // The memory of a recording is freed only on request, which is not possible during another recording.
  ~CudaRecording() override {
    try {
      graph_.reset();
      c10::cuda::CUDACachingAllocator::emptyCache();
    } catch (const std::exception&) {
      // The device is lost; the next call reports it.
    }
  }
  void replay() override { graph_.replay(); }

 private:
  // A stream must not remain in capture mode.
  void capture(const std::function<void()>& work, const CudaRecording* sharing) {
    if (sharing != nullptr) {
      graph_.capture_begin(sharing->memory_);
    } else {
      graph_.capture_begin();
    }
    try {
      work();
    } catch (...) {
      try {
        graph_.capture_end();
      } catch (const std::exception&) {
        // Repeats the error of `work`.
      }
      throw;
    }
    graph_.capture_end();
    memory_ = graph_.pool();
  }

  c10::cuda::CUDAStream stream_;
  at::cuda::CUDAGraph graph_;
  at::cuda::MempoolId_t memory_{0, 0};
};

class CudaMark final : public DeviceEvent {
 public:
  CudaMark() { event_.record(); }
  bool reached() override { return event_.query(); }

 private:
  at::cuda::CUDAEvent event_;
};

class GpuBackend final : public Backend {
 public:
  explicit GpuBackend(int index)
      : index_(index),
        guard_(static_cast<c10::DeviceIndex>(index)),
        copies_(c10::cuda::getStreamFromPool(false, static_cast<c10::DeviceIndex>(index))),
        recordings_(c10::cuda::getStreamFromPool(false, static_cast<c10::DeviceIndex>(index))) {}

  c10::Device device() const override { return {c10::kCUDA, static_cast<c10::DeviceIndex>(index_)}; }
  Bytes cache() const override {
    return Bytes{static_cast<double>(at::cuda::getDeviceProperties(device().index())->l2CacheSize)};
  }
  bool asynchronous() const override { return true; }
  void finish() override { c10::cuda::device_synchronize(); }
  std::unique_ptr<DeviceEvent> mark() override { return std::make_unique<CudaMark>(); }
  at::Tensor staged(const at::Tensor& tensor) override { return tensor.cpu().pin_memory(); }
  void fetch(const std::vector<at::Tensor>& to, const std::vector<at::Tensor>& from) override {
    at::cuda::CUDAEvent there;
    {
      const c10::cuda::CUDAStreamGuard on(copies_);
      for (std::size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i], true);
      there.record();
    }
    there.block(c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(index_)));
  }
  void release_memory() override { c10::cuda::CUDACachingAllocator::emptyCache(); }
  std::unique_ptr<Recording> record(const std::function<void()>& work, const Recording* sharing) override {
    // The allocator returns memory only to the stream that used it, so one stream is used for all recordings.
    return std::make_unique<CudaRecording>(recordings_, work, dynamic_cast<const CudaRecording*>(sharing));
  }

 private:
  int index_;
  c10::cuda::CUDAGuard guard_;
  c10::cuda::CUDAStream copies_, recordings_;
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
    if (devices.empty()) return fail(Errc::unsupported, "libtorch finds no CUDA GPU");
    return devices;
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    return fail(Errc::unsupported, "libtorch cannot use CUDA: {}", text.substr(0, text.find('\n')));
  }
}

Result<std::unique_ptr<Backend>> gpu_backend(const CudaDevice& gpu) {
  return std::unique_ptr<Backend>(std::make_unique<GpuBackend>(gpu.index));
}

}  // namespace ergon::profile::torch
