#pragma once

#include "run_nodes.h"

namespace ergon::profile::torch {

// One operation with valid inputs.
struct Case {
  std::string name;
  graph::Operation operation;
  std::vector<Given> inputs;
  std::vector<graph::ElementType> types = {};
};

inline std::vector<Case> window_cases() {
  using namespace graph;
  const Given line{Shape{Dim::batch(), {4}, {12}}};
  const Given image{Shape::image_of(4, 11, 9)};
  const Given volume{Shape{Dim::batch(), {4}, {5}, {6}, {7}}};
  Window lopsided = Window::square(3, 2);
  lopsided.pad_end = {1, 1};
  Window dilated = Window::square(3, 1, 2);
  dilated.dilation = {2, 2};
  Window wide = Window::square(2, 1, 2);
  Window hanging = Window::square(3, 2);
  hanging.pad_begin = {1, 0};
  return {
      {"conv1d", Convolution{Window::over({3}), 6, 1, true}, {line}},
      {"conv2d", Convolution{Window::square(3, 2, 1), 6, 1, true}, {image}},
      {"conv3d", Convolution{Window::over({3, 2, 3}), 6, 1, true}, {volume}},
      {"conv grouped", Convolution{Window::square(3, 1, 1), 8, 2, false}, {image}},
      {"conv depthwise", Convolution{Window::square(3, 1, 1), 4, 4, false}, {image}},
      {"conv lopsided", Convolution{lopsided, 6, 1, true}, {image}},
      {"conv dilated", Convolution{dilated, 6, 1, false}, {image}},
      {"conv standardized", Convolution{Window::square(3, 1, 1), 6, 1, false, true}, {image}},
      {"conv standardized lopsided", Convolution{lopsided, 6, 1, false, true}, {image}},
      {"transposed", TransposedConvolution{Window::square(3, 2, 1), {1, 1}, 6, 1, true}, {image}},
      {"transposed lopsided", TransposedConvolution{lopsided, {0, 0}, 6, 2, true}, {image}},
      {"transposed 1d", TransposedConvolution{Window::over({4}), {0}, 6, 1, false}, {line}},
      {"transposed 3d", TransposedConvolution{Window::over({2, 2, 2}), {0, 0, 0}, 6, 1, true}, {volume}},
      {"max pool", Pool{PoolKind::max, Window::square(3, 2, 1)}, {image}},
      {"max pool ceil", Pool{PoolKind::max, Window::square(2, 2), true}, {image}},
      {"max pool lopsided", Pool{PoolKind::max, lopsided}, {image}},
      {"max pool hanging", Pool{PoolKind::max, hanging, true}, {image}},
      {"max pool dilated", Pool{PoolKind::max, dilated}, {image}},
      {"max pool padded widely", Pool{PoolKind::max, wide}, {image}},
      {"max pool 1d", Pool{PoolKind::max, Window::over({3})}, {line}},
      {"max pool 3d", Pool{PoolKind::max, Window::over({2, 2, 2})}, {volume}},
      {"average pool", Pool{PoolKind::average, Window::square(3, 1, 1)}, {image}},
      {"average pool ceil", Pool{PoolKind::average, Window::square(2, 2), true}, {image}},
      {"average pool lopsided", Pool{PoolKind::average, lopsided}, {image}},
      {"average pool dilated", Pool{PoolKind::average, dilated}, {image}},
      {"average pool 1d", Pool{PoolKind::average, Window::over({3})}, {line}},
      {"average pool 3d", Pool{PoolKind::average, Window::over({2, 2, 2})}, {volume}},
      {"norm pool", Pool{PoolKind::norm, Window::square(3, 2, 1)}, {image}},
      {"norm pool ceil", Pool{PoolKind::norm, hanging, true}, {image}},
      {"adaptive average", AdaptivePool{PoolKind::average, {7, 7}}, {image}},
      {"adaptive average 1", AdaptivePool{PoolKind::average, {1, 1}}, {image}},
      {"adaptive max", AdaptivePool{PoolKind::max, {2, 3}}, {image}},
      {"adaptive norm", AdaptivePool{PoolKind::norm, {1, 1}}, {image}},
      {"adaptive average 1d", AdaptivePool{PoolKind::average, {4}}, {line}},
      {"adaptive max 1d", AdaptivePool{PoolKind::max, {4}}, {line}},
      {"adaptive average 3d", AdaptivePool{PoolKind::average, {2, 2, 2}}, {volume}},
      {"adaptive max 3d", AdaptivePool{PoolKind::max, {2, 2, 2}}, {volume}},
  };
}

inline std::vector<Case> matrix_cases() {
  using namespace graph;
  const Given rows{Shape::batch_of({5, 6})};
  const Given steps{Shape{{5}, Dim::batch(), {6}}};
  std::vector<Case> cases{
      {"dense", Dense{7, true}, {rows}},
      {"dense without bias", Dense{7, false}, {{Shape::batch_of({6})}}},
      {"product", MatrixProduct{}, {rows, {Shape::batch_of({6, 3})}}},
      {"product with a weight", MatrixProduct{Shape{{2}, {6}, {3}}, false}, {{Shape::batch_of({2, 5, 6})}}},
      {"product with a weight on the left", MatrixProduct{Shape{{4}, {5}}, true}, {rows}},
      {"einsum", Einsum{"bij,bkj->bik"}, {rows, {Shape::batch_of({4, 6})}}},
      {"embedding", Embedding{10, 4}, {{Shape::batch_of({5}), ElementType::int64}}, {ElementType::float32}},
      {"batch norm", BatchNorm{}, {{Shape::image_of(4, 5, 5)}}},
      {"batch norm without scale", BatchNorm{false, true}, {{Shape::image_of(4, 5, 5)}}},
      {"batch norm of vectors", BatchNorm{}, {{Shape{Dim::batch(), {4}, {3}}}}},
      {"group norm", GroupNorm{2}, {{Shape::image_of(4, 5, 5)}}},
      {"instance norm", GroupNorm{0}, {{Shape::image_of(4, 5, 5)}}},
      {"layer norm", LayerNorm{}, {rows}},
      {"layer norm over two axes", LayerNorm{2, true, true}, {rows}},
      {"root mean square norm", LayerNorm{1, true, false}, {rows}},
      {"plain norm", LayerNorm{1, false, false}, {rows}},
      {"response norm", LocalResponseNorm{5}, {{Shape::image_of(8, 5, 4)}}},
      {"response norm of lines", LocalResponseNorm{4}, {{Shape{Dim::batch(), {8}, {5}}}}},
      {"normalization", Normalization{}, {{Shape::image_of(3, 5, 4)}}},
  };
  for (const RecurrentCell cell : {RecurrentCell::simple, RecurrentCell::gru, RecurrentCell::lstm}) {
    for (const std::int64_t directions : {1, 2}) {
      cases.push_back({"recurrent", Recurrent{cell, 8, directions, true, false}, {steps}});
      cases.push_back({"recurrent without bias", Recurrent{cell, 8, directions, false, false}, {steps}});
      cases.push_back({"recurrent batch first", Recurrent{cell, 8, directions, true, true}, {rows}});
    }
  }
  return cases;
}

inline std::vector<Case> elementwise_cases() {
  using namespace graph;
  const Given image{Shape::image_of(4, 3, 5)};
  const Given whole{Shape::image_of(4, 3, 5), ElementType::int64};
  const Given truth{Shape::image_of(4, 3, 5), ElementType::boolean};
  std::vector<Case> cases;
  for (int i = 0; i <= static_cast<int>(Function::other); ++i) {
    const auto function = static_cast<Function>(i);
    const std::string name(name_of(function));
    if (function == Function::prelu) {
      cases.push_back({name, Elementwise{function, std::nullopt, Shape{{4}, {1}, {1}}}, {image}});
      cases.push_back({name, Elementwise{function, std::nullopt, Shape{{1}}}, {image}});
      cases.push_back({name, Elementwise{function, std::nullopt, Shape{{3}, {5}}}, {image}});
    } else if (function == Function::logical_not) {
      cases.push_back({name, Elementwise{function}, {truth}});
    } else if (function == Function::cast) {
      cases.push_back({name, Elementwise{function, ElementType::int32}, {image}, {ElementType::int32}});
      cases.push_back({name, Elementwise{function, ElementType::float16}, {whole}, {ElementType::float16}});
    } else if (function == Function::quantize) {
      cases.push_back({name, Elementwise{function, ElementType::uint8}, {image}, {ElementType::uint8}});
    } else {
      cases.push_back({name, Elementwise{function}, {image}});
    }
  }
  for (int i = 0; i <= static_cast<int>(Combine::shift); ++i) {
    const auto combine = static_cast<Combine>(i);
    const std::string name(name_of(combine));
    if (combine == Combine::where) {
      cases.push_back({name, Arithmetic{combine}, {truth, image, image}, {ElementType::float32}});
      cases.push_back(
          {name, Arithmetic{combine, std::nullopt, true}, {truth, image}, {ElementType::float32}});
      cases.push_back({name, Arithmetic{combine, Shape{{3}, {5}}, true}, {image}, {ElementType::float32}});
      cases.push_back({name, Arithmetic{combine, Shape{{3}, {5}}}, {image, image}, {ElementType::float32}});
      cases.push_back({"scatter", Arithmetic{combine}, {image}});
      continue;
    }
    const bool bits = combine == Combine::shift;
    const bool logic = combine == Combine::logical;
    const Given& given = bits ? whole : logic ? truth : image;
    const std::vector<ElementType> types =
        logic || combine == Combine::compare ? std::vector{ElementType::boolean} : std::vector{given.type};
    cases.push_back({name, Arithmetic{combine}, {given, given}, types});
    cases.push_back({name, Arithmetic{combine}, {given, {Shape{{4}, {1}, {1}}, given.type}}, types});
    cases.push_back({name, Arithmetic{combine, Shape{{4}, {1}, {5}}}, {given}, types});
    cases.push_back({name, Arithmetic{combine, std::nullopt, true}, {given}, types});
  }
  cases.push_back({"sum of three", Arithmetic{Combine::add}, {image, image, image}});
  cases.push_back({"mean of three", Arithmetic{Combine::mean}, {image, image, image}});
  cases.push_back({"integers", Arithmetic{Combine::divide, std::nullopt, true}, {whole}});
  for (const std::int64_t axis : {-1, 1, 0}) cases.push_back({"softmax", Softmax{axis}, {image}});
  return cases;
}

inline std::vector<Case> movement_cases() {
  using namespace graph;
  const Given image{Shape::image_of(4, 6, 8)};
  const Given rows{Shape::batch_of({5, 6})};
  const Given whole{Shape::batch_of({5, 6}), ElementType::int64};
  std::vector<Case> cases{
      {"concat", Concat{1}, {image, image, image}},
      {"split", Split{1, {1, 3}}, {image}},
      {"slice", Slice{Shape::image_of(4, 3, 8), {2}, {1}, {4}, {1}}, {image}},
      {"slice backwards", Slice{Shape::image_of(4, 6, 4), {3}, {-1}, {INT64_MIN}, {-2}}, {image}},
      {"slice without bounds", Slice{Shape::image_of(2, 6, 5)}, {image}},
      {"pad", Pad{{0, 0, 1, 2}, {0, 0, 3, 0}}, {image}},
      {"pad away", Pad{{0, 0, -1, 2}, {0, 0, 0, -3}}, {image}},
      {"reshape", Reshape{Shape::batch_of({30})}, {rows}},
      {"reshape into the batch", Reshape{Shape{{5, true}, {6}}}, {rows}},
      {"transpose", Transpose{{0, 2, 3, 1}}, {image}},
      {"enlarge", Resize{Shape::image_of(4, 12, 16)}, {image}},
      {"shrink", Resize{Shape::image_of(4, 3, 5)}, {image}},
      {"enlarge a line", Resize{Shape{Dim::batch(), {5}, {12}}}, {rows}},
      {"enlarge a volume", Resize{Shape::batch_of({2, 4, 4, 4})}, {{Shape::batch_of({2, 2, 2, 2})}}},
      {"depth to space", Resize{Shape::image_of(1, 12, 16)}, {image}},
      {"space to depth", Resize{Shape::image_of(16, 3, 4)}, {image}},
      {"grid", Resize{Shape::image_of(4, 3, 5)}, {image, {Shape::batch_of({3, 5, 2})}}},
      {"expand", Expand{Shape::batch_of({4, 5, 6})}, {{Shape::batch_of({1, 5, 6})}}},
      {"tile", Expand{Shape::batch_of({10, 18})}, {rows}},
      {"parameter", Parameter{Shape{{3}, {4}}, Shape{{3}, {4}}}, {}},
      {"parameter for every sample", Parameter{Shape{{1}, {4}}, Shape::batch_of({4})}, {}},
      {"first rows", Parameter{Shape{{9}, {4}}, Shape{{3}, {4}}}, {}},
      {"parameter of indices", Parameter{Shape{{3}}, Shape{{3}}}, {}, {ElementType::int64}},
      {"select", Gather{Shape::batch_of({6})}, {rows}},
      {"pick rows", Gather{Shape::batch_of({3, 6})}, {rows}},
      {"pick by indices", Gather{Shape::batch_of({2, 6})}, {rows, {Shape{{2}}, ElementType::int64}}},
      {"pick elements", Gather{Shape::batch_of({5, 6})}, {rows, whole}},
      {"pick anything", Gather{Shape::batch_of({7})}, {rows}},
      {"dropout", Dropout{}, {image}},
      {"identity", Identity{}, {image}},
  };
  for (int i = 0; i <= static_cast<int>(ReduceKind::arg); ++i) {
    const auto kind = static_cast<ReduceKind>(i);
    const std::string name(name_of(kind));
    const bool arg = kind == ReduceKind::arg;
    const std::vector<ElementType> types = {arg ? ElementType::int64 : ElementType::float32};
    cases.push_back({name, Reduce{kind, {2}, true}, {image}, types});
    cases.push_back({name, Reduce{kind, {-1}, false}, {image}, types});
    if (arg) continue;
    cases.push_back({name, Reduce{kind, {2, 3}, false}, {image}, types});
    cases.push_back({name, Reduce{kind, {}, false}, {image}, types});
  }
  cases.push_back({"mean of integers", Reduce{ReduceKind::mean, {2}, true}, {whole}});
  return cases;
}

inline std::vector<Case> all_operations() {
  std::vector<Case> cases;
  for (auto family : {window_cases, matrix_cases, elementwise_cases, movement_cases}) {
    for (Case& one : family()) cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace ergon::profile::torch
