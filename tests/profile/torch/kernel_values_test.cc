// Values compared with simple loops from the definition.

#include <cmath>

#include "file_node.h"

namespace ergon::profile::torch {
namespace {

using namespace graph;

TEST(KernelValues, ConvolutionWithAsymmetricPadding) {
  Window window = Window::square(3, 2);
  window.pad_begin = {0, 2};
  window.pad_end = {1, 0};
  const at::Tensor x = counting({1, 2, 5, 6});
  const at::Tensor w = counting({3, 2, 3, 3});
  const at::Tensor b = counting({3});
  const at::Tensor y = result_of(Convolution{window, 3, 1, true}, {x}, {w, b});
  for (std::int64_t c = 0; c < 3; ++c) {
    for (std::int64_t row = 0; row < y.size(2); ++row) {
      for (std::int64_t column = 0; column < y.size(3); ++column) {
        float sum = number(b, {c});
        for (std::int64_t i = 0; i < 2 * 3 * 3; ++i) {
          const std::int64_t k = i / 9, dy = i / 3 % 3, dx = i % 3;
          const std::int64_t at_y = row * 2 + dy, at_x = column * 2 + dx - 2;
          if (at_y >= 5 || at_x < 0 || at_x >= 6) continue;
          sum += number(x, {0, k, at_y, at_x}) * number(w, {c, k, dy, dx});
        }
        EXPECT_FLOAT_EQ(number(y, {0, c, row, column}), sum) << c << " " << row << " " << column;
      }
    }
  }
}

TEST(KernelValues, TransposedConvolutionCropsEachEnd) {
  Window window = Window::over({3});
  window.stride = {2};
  window.pad_begin = {1};
  window.pad_end = {0};
  const at::Tensor x = counting({1, 1, 4});
  const at::Tensor w = counting({1, 1, 3});
  const at::Tensor b = at::ones({1}).mul(10);
  std::vector<float> whole(9, 10);
  for (std::int64_t i = 0; i < 4; ++i) {
    for (std::int64_t k = 0; k < 3; ++k)
      whole[static_cast<std::size_t>(2 * i + k)] += number(x, {0, 0, i}) * number(w, {0, 0, k});
  }
  expect_numbers(result_of(TransposedConvolution{window, {0}, 1, 1, true}, {x}, {w, b}),
                 {whole.begin() + 1, whole.end()});
  window.pad_end = {1};
  expect_numbers(result_of(TransposedConvolution{window, {1}, 1, 1, true}, {x}, {w, b}),
                 {whole.begin() + 1, whole.end()});
}

TEST(KernelValues, StandardizedConvolution) {
  const at::Tensor x = counting({1, 2, 3, 3});
  const at::Tensor w = counting({1, 2, 3, 3});
  const double mean = w.mean().item<double>();
  const double deviation = std::sqrt(w.sub(mean).pow(2).mean().item<double>());
  const double wanted = x.mul(w.sub(mean)).sum().item<double>() / deviation;
  expect_numbers(result_of(Convolution{Window::square(3), 1, 1, false, true}, {x}, {w}),
                 {static_cast<float>(wanted)});
}

TEST(KernelValues, MaxPoolWithAsymmetricPadding) {
  Window window = Window::over({2});
  window.stride = {2};
  window.pad_end = {1};
  const at::Tensor x = at::arange(5, at::kFloat).neg().sub(1).reshape({1, 1, 5});
  expect_numbers(result_of(Pool{PoolKind::max, window}, {x}, {}), {-1, -3, -5});
}

TEST(KernelValues, AveragePoolCountsPaddingOnRequest) {
  Window window = Window::over({2});
  window.pad_begin = {1};
  const at::Tensor x = at::arange(1, 4, at::kFloat).reshape({1, 1, 3});
  const FileNode counts("AveragePool", {{"count_include_pad", 1}});
  const FileNode skips("AveragePool");
  expect_numbers(result_of(Pool{PoolKind::average, window}, {x}, {}, &counts), {0.5, 1.5, 2.5});
  expect_numbers(result_of(Pool{PoolKind::average, window}, {x}, {}, &skips), {1, 1.5, 2.5});
  Window spread = Window::over({2});
  spread.dilation = {2};
  spread.pad_begin = spread.pad_end = {1};
  expect_numbers(result_of(Pool{PoolKind::average, spread}, {x}, {}, &skips), {2, 2, 2});
  expect_numbers(result_of(Pool{PoolKind::average, spread}, {x}, {}, &counts), {1, 2, 1});
}

TEST(KernelValues, NormPool) {
  const at::Tensor x = at::arange(1, 5, at::kFloat).reshape({1, 1, 4});
  Window window = Window::over({2});
  window.stride = {2};
  expect_numbers(result_of(Pool{PoolKind::norm, window}, {x}, {}), {std::sqrt(5.0F), 5});
}

TEST(KernelValues, Norms) {
  const at::Tensor x = at::arange(1, 5, at::kFloat).reshape({1, 4});
  const float root = std::sqrt(7.5F);
  expect_numbers(result_of(LayerNorm{1, true, false}, {x}, {at::ones({4})}),
                 {1 / root, 2 / root, 3 / root, 4 / root});
  const float deviation = std::sqrt(1.25F);
  expect_numbers(result_of(LayerNorm{}, {x}, {at::ones({4}), at::ones({4})}),
                 {1 - 1.5F / deviation, 1 - 0.5F / deviation, 1 + 0.5F / deviation, 1 + 1.5F / deviation});
  // Without a bias, the norm still subtracts the mean.
  FileNode layer("LayerNormalization");
  layer.constant(at::ones({4}));
  expect_numbers(result_of(LayerNorm{1, true, false}, {x}, {}, &layer),
                 {-1.5F / deviation, -0.5F / deviation, 0.5F / deviation, 1.5F / deviation});
  const at::Tensor image = at::arange(1, 5, at::kFloat).reshape({1, 4, 1, 1});
  const at::Tensor by_rows = at::arange(1, 5, at::kFloat).reshape({1, 2, 1, 2});
  expect_numbers(result_of(GroupNorm{2}, {image}, {at::ones({4}), at::zeros({4})}), {-1, 1, -1, 1});
  expect_numbers(result_of(GroupNorm{0}, {by_rows}, {at::ones({2}), at::zeros({2})}), {-1, 1, -1, 1});
  expect_numbers(result_of(BatchNorm{}, {image},
                           {at::ones({4}).mul(2), at::ones({4}), at::ones({4}), at::ones({4}).mul(4)}),
                 {1, 2, 3, 4});
  expect_numbers(result_of(Normalization{}, {image}, {at::ones({4}), at::ones({4}).mul(4), at::ones({1})}),
                 {0, 0.5, 1, 1.5});
}

TEST(KernelValues, ResponseNormWindowDependsOnTheFramework) {
  const at::Tensor x = at::ones({1, 3, 1, 1}).mul(2);
  const auto wanted = [](float neighbours) { return 2 / std::pow(1 + 1e-4F * 4 * neighbours / 2, 0.75F); };
  // Two channels: with the previous one in PyTorch, with the next one in ONNX.
  expect_numbers(result_of(LocalResponseNorm{2}, {x}, {}), {wanted(1), wanted(2), wanted(2)});
  const FileNode file_node("LRN", {{"alpha", 0.5}, {"beta", 1}, {"bias", 2}});
  expect_numbers(result_of(LocalResponseNorm{2}, {x}, {}, &file_node), {0.5, 0.5, 2.0F / 3});
}

TEST(KernelValues, Lstm) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const at::Tensor x = at::arange(1, 4, at::kFloat).mul(0.3).reshape({3, 1, 1});
  FileNode file_node("LSTM");
  // Gates of ONNX: input, output, forget, cell.
  const std::vector<double> w{0.1, 0.2, 0.3, 0.4}, r{-0.5, 0.6, 0.7, 0.8}, b{0.05, -0.1, 0.15, 0.2};
  const auto stack = [](const std::vector<double>& numbers) {
    at::Tensor tensor = at::zeros({static_cast<std::int64_t>(numbers.size())});
    for (std::size_t i = 0; i < numbers.size(); ++i) tensor[static_cast<std::int64_t>(i)] = numbers[i];
    return tensor;
  };
  std::vector<double> both = b;
  for (int i = 0; i < 4; ++i) both.push_back(0.01 * i);
  file_node.constant(stack(w).reshape({1, 4, 1}))
      .constant(stack(r).reshape({1, 4, 1}))
      .constant(stack(both).reshape({1, 8}));
  double h = 0, c = 0;
  std::vector<float> wanted;
  for (int t = 0; t < 3; ++t) {
    const double in = 0.3 * (t + 1);
    const auto gate = [&](std::size_t g) { return w[g] * in + r[g] * h + both[g] + both[g + 4]; };
    const double i = sigmoid(gate(0)), o = sigmoid(gate(1)), f = sigmoid(gate(2)), g = std::tanh(gate(3));
    c = f * c + i * g;
    h = o * std::tanh(c);
    wanted.push_back(static_cast<float>(h));
  }
  expect_numbers(result_of(Recurrent{RecurrentCell::lstm, 1, 1, true, false}, {x}, {}, &file_node), wanted);
}

TEST(KernelValues, GruResetBeforeOrAfterTheMatrix) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const at::Tensor x = at::ones({2, 1, 1}).mul(0.5);
  const at::Tensor w = at::arange(1, 4, at::kFloat).mul(0.2).reshape({1, 3, 1});
  const at::Tensor r = at::arange(1, 4, at::kFloat).mul(-0.3).reshape({1, 3, 1});
  const at::Tensor b = at::arange(6, at::kFloat).mul(0.1).reshape({1, 6});
  for (const bool after : {false, true}) {
    FileNode file_node("GRU", {{"linear_before_reset", after ? 1 : 0}});
    file_node.constant(w).constant(r).constant(b);
    double h = 0;
    std::vector<float> wanted;
    for (int t = 0; t < 2; ++t) {
      // Gates of ONNX: update, reset, hidden.
      const double z = sigmoid(0.2 * 0.5 - 0.3 * h + 0.0 + 0.3);
      const double reset = sigmoid(0.4 * 0.5 - 0.6 * h + 0.1 + 0.4);
      const double n = after ? std::tanh(0.6 * 0.5 + 0.2 + reset * (-0.9 * h + 0.5))
                             : std::tanh(0.6 * 0.5 + 0.2 - 0.9 * (reset * h) + 0.5);
      h = (1 - z) * n + z * h;
      wanted.push_back(static_cast<float>(h));
    }
    expect_numbers(result_of(Recurrent{RecurrentCell::gru, 1, 1, true, false}, {x}, {}, &file_node), wanted);
  }
}

}  // namespace
}  // namespace ergon::profile::torch
