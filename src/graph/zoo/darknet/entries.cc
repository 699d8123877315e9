// YOLOv4-tiny, from cfg/yolov4-tiny.cfg of AlexeyAB's darknet. A "convolutional" section is one layer:
// convolution, batch norm and activation.

#include <fmt/format.h>

#include "graph/builder.h"
#include "graph/zoo/entry.h"

namespace ergon::graph::zoo {
namespace {

class Darknet {
 public:
  explicit Darknet(const std::string& name) : build_("darknet", name) {}

  Tensor input(std::int64_t size) { return build_.input("input", "Input", Shape::image_of(3, size, size)); }

  Tensor conv(Tensor x, std::int64_t filters, std::int64_t kernel, std::int64_t stride = 1) {
    const Window window = Window::square(kernel, stride, kernel / 2);
    return build_.chain(
        section("convolutional"), "Conv2D",
        {Convolution{window, filters, 1, false}, BatchNorm{}, Elementwise{Function::leaky_relu}}, x);
  }
  // The convolution before a detector: no batch norm, no activation.
  Tensor linear_conv(Tensor x, std::int64_t filters) {
    return build_.add(section("convolutional"), "Conv2D", Convolution{Window::square(1), filters, 1, true},
                      {x});
  }
  // The second half of the channels.
  Tensor second_half(Tensor x) {
    const Shape& from = build_.shape(x);
    const std::int64_t half = from[1].size / 2;
    return build_.add(
        section("route"), "Slice",
        Slice{Shape{from[0], {half}, from[2], from[3]}.as_image(), {1}, {half}, {2 * half}, {1}}, {x});
  }
  Tensor concat(std::vector<Tensor> parts) {
    return build_.add(section("route"), "Concat", Concat{1}, std::move(parts));
  }
  Tensor route(Tensor x) { return build_.add(section("route"), "Identity", Identity{}, {x}); }
  Tensor max_pool(Tensor x) {
    return build_.add(section("maxpool"), "MaxPool", Pool{PoolKind::max, Window::square(2, 2)}, {x});
  }
  Tensor upsample(Tensor x) {
    const Shape& from = build_.shape(x);
    const Shape to = Shape{from[0], from[1], {2 * from[2].size}, {2 * from[3].size}}.as_image();
    return build_.add(section("upsample"), "Upsample", Resize{to}, {x});
  }
  // Sigmoid of coordinates and scores.
  Tensor yolo(Tensor x) { return build_.add(section("yolo"), "Yolo", Elementwise{Function::sigmoid}, {x}); }
  Result<Network> finish(std::vector<Tensor> outputs) { return build_.finish(std::move(outputs)); }

 private:
  std::string section(const char* kind) { return fmt::format("{}_{}", section_++, kind); }

  Builder build_;
  int section_ = 0;
};

struct CspBlockOutput {
  Tensor pooled;
  Tensor features;
};

// A cross-stage-partial (CSP) block: half of the channels bypass it.
CspBlockOutput partial_block(Darknet& d, Tensor x, std::int64_t filters) {
  const Tensor whole = d.conv(x, filters, 3);
  const Tensor first = d.conv(d.second_half(whole), filters / 2, 3);
  const Tensor second = d.conv(first, filters / 2, 3);
  const Tensor joined = d.conv(d.concat({second, first}), filters, 1);
  const Tensor wide = d.concat({whole, joined});
  return {d.max_pool(wide), joined};
}

// Three boxes with four coordinates, one objectness score and 80 classes each.
constexpr std::int64_t kDetections = std::int64_t{3} * (4 + 1 + 80);

Result<Network> yolov4_tiny(const InputSize& input) {
  Darknet d("yolov4-tiny");
  Tensor x = d.input(input.size);
  x = d.conv(x, 32, 3, 2);
  x = d.conv(x, 64, 3, 2);
  x = partial_block(d, x, 64).pooled;
  x = partial_block(d, x, 128).pooled;
  const CspBlockOutput last = partial_block(d, x, 256);
  x = d.conv(last.pooled, 512, 3);
  const Tensor neck = d.conv(x, 256, 1);
  x = d.linear_conv(d.conv(neck, 512, 3), kDetections);
  const Tensor coarse = d.yolo(x);
  x = d.conv(d.route(neck), 128, 1);
  x = d.concat({d.upsample(x), last.features});
  x = d.linear_conv(d.conv(x, 256, 3), kDetections);
  return d.finish({coarse, d.yolo(x)});
}

}  // namespace

std::vector<Entry> darknet_entries() { return {{"darknet", "yolov4-tiny", {416}, yolov4_tiny}}; }

}  // namespace ergon::graph::zoo
