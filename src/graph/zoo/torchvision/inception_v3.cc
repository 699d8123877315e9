#include "graph/zoo/torchvision/inception.h"
#include "graph/zoo/torchvision/networks.h"

namespace ergon::graph::zoo::torchvision {
namespace {

Window tall(std::int64_t size) {
  Window window = Window::rectangle(size, 1);
  window.pad_begin = window.pad_end = {size / 2, 0};
  return window;
}

Window wide(std::int64_t size) {
  Window window = Window::rectangle(1, size);
  window.pad_begin = window.pad_end = {0, size / 2};
  return window;
}

const Window kPoint = Window::square(1);

Tensor pooled_branch(Layers& t, Tensor x, std::int64_t out, const std::string& name) {
  return basic_conv(t, t.average_pooled(x, Window::square(3, 1, 1)), out, kPoint, name + ".branch_pool");
}

Tensor block_a(Layers& t, Tensor x, std::int64_t pool, const std::string& name) {
  const Tensor one = basic_conv(t, x, 64, kPoint, name + ".branch1x1");
  Tensor five = basic_conv(t, x, 48, kPoint, name + ".branch5x5_1");
  five = basic_conv(t, five, 64, Window::square(5, 1, 2), name + ".branch5x5_2");
  Tensor three = basic_conv(t, x, 64, kPoint, name + ".branch3x3dbl_1");
  three = basic_conv(t, three, 96, Window::square(3, 1, 1), name + ".branch3x3dbl_2");
  three = basic_conv(t, three, 96, Window::square(3, 1, 1), name + ".branch3x3dbl_3");
  return t.cat({one, five, three, pooled_branch(t, x, pool, name)});
}

Tensor block_b(Layers& t, Tensor x, const std::string& name) {
  const Tensor three = basic_conv(t, x, 384, Window::square(3, 2), name + ".branch3x3");
  Tensor twice = basic_conv(t, x, 64, kPoint, name + ".branch3x3dbl_1");
  twice = basic_conv(t, twice, 96, Window::square(3, 1, 1), name + ".branch3x3dbl_2");
  twice = basic_conv(t, twice, 96, Window::square(3, 2), name + ".branch3x3dbl_3");
  return t.cat({three, twice, t.max_pooled(x, Window::square(3, 2))});
}

Tensor block_c(Layers& t, Tensor x, std::int64_t width, const std::string& name) {
  const Tensor one = basic_conv(t, x, 192, kPoint, name + ".branch1x1");
  Tensor seven = basic_conv(t, x, width, kPoint, name + ".branch7x7_1");
  seven = basic_conv(t, seven, width, wide(7), name + ".branch7x7_2");
  seven = basic_conv(t, seven, 192, tall(7), name + ".branch7x7_3");
  Tensor twice = basic_conv(t, x, width, kPoint, name + ".branch7x7dbl_1");
  twice = basic_conv(t, twice, width, tall(7), name + ".branch7x7dbl_2");
  twice = basic_conv(t, twice, width, wide(7), name + ".branch7x7dbl_3");
  twice = basic_conv(t, twice, width, tall(7), name + ".branch7x7dbl_4");
  twice = basic_conv(t, twice, 192, wide(7), name + ".branch7x7dbl_5");
  return t.cat({one, seven, twice, pooled_branch(t, x, 192, name)});
}

Tensor block_d(Layers& t, Tensor x, const std::string& name) {
  Tensor three = basic_conv(t, x, 192, kPoint, name + ".branch3x3_1");
  three = basic_conv(t, three, 320, Window::square(3, 2), name + ".branch3x3_2");
  Tensor seven = basic_conv(t, x, 192, kPoint, name + ".branch7x7x3_1");
  seven = basic_conv(t, seven, 192, wide(7), name + ".branch7x7x3_2");
  seven = basic_conv(t, seven, 192, tall(7), name + ".branch7x7x3_3");
  seven = basic_conv(t, seven, 192, Window::square(3, 2), name + ".branch7x7x3_4");
  return t.cat({three, seven, t.max_pooled(x, Window::square(3, 2))});
}

Tensor fork(Layers& t, Tensor x, const std::string& name) {
  const Tensor a = basic_conv(t, x, 384, wide(3), name + "a");
  return t.cat({a, basic_conv(t, x, 384, tall(3), name + "b")});
}

Tensor block_e(Layers& t, Tensor x, const std::string& name) {
  const Tensor one = basic_conv(t, x, 320, kPoint, name + ".branch1x1");
  Tensor three = basic_conv(t, x, 384, kPoint, name + ".branch3x3_1");
  three = fork(t, three, name + ".branch3x3_2");
  Tensor twice = basic_conv(t, x, 448, kPoint, name + ".branch3x3dbl_1");
  twice = basic_conv(t, twice, 384, Window::square(3, 1, 1), name + ".branch3x3dbl_2");
  twice = fork(t, twice, name + ".branch3x3dbl_3");
  return t.cat({one, three, twice, pooled_branch(t, x, 192, name)});
}

void auxiliary_head(Layers& t, Tensor x) {
  t.build().set_training_only(true);
  x = basic_conv(t, t.average_pooled(x, Window::square(5, 3)), 128, kPoint, "AuxLogits.conv0");
  x = basic_conv(t, x, 768, Window::square(5), "AuxLogits.conv1");
  t.linear(t.flatten(t.pooled(x, 1)), kClasses, "AuxLogits.fc");
  t.build().set_training_only(false);
}

}  // namespace

Result<Network> inception_v3(const InputSize& input) {
  Layers t("inception_v3");
  Tensor x = basic_conv(t, t.image(input.size), 32, Window::square(3, 2), "Conv2d_1a_3x3");
  x = basic_conv(t, x, 32, Window::square(3), "Conv2d_2a_3x3");
  x = basic_conv(t, x, 64, Window::square(3, 1, 1), "Conv2d_2b_3x3");
  x = t.max_pool(x, Window::square(3, 2), "maxpool1");
  x = basic_conv(t, x, 80, kPoint, "Conv2d_3b_1x1");
  x = basic_conv(t, x, 192, Window::square(3), "Conv2d_4a_3x3");
  x = t.max_pool(x, Window::square(3, 2), "maxpool2");
  x = block_a(t, x, 32, "Mixed_5b");
  x = block_a(t, x, 64, "Mixed_5c");
  x = block_a(t, x, 64, "Mixed_5d");
  x = block_b(t, x, "Mixed_6a");
  x = block_c(t, x, 128, "Mixed_6b");
  x = block_c(t, x, 160, "Mixed_6c");
  x = block_c(t, x, 160, "Mixed_6d");
  x = block_c(t, x, 192, "Mixed_6e");
  auxiliary_head(t, x);
  x = block_d(t, x, "Mixed_7a");
  x = block_e(t, x, "Mixed_7b");
  x = block_e(t, x, "Mixed_7c");
  x = t.dropout(t.adaptive_average_pool(x, 1, "avgpool"), "dropout");
  return t.finish(t.linear(t.flatten(x), kClasses, "fc"));
}

}  // namespace ergon::graph::zoo::torchvision
