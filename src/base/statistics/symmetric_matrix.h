#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace ergon::statistics {

// A small symmetric matrix, row-major, for normal distributions: its Cholesky factor L gives determinants and
// solves linear systems. Only the lower triangle is read.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(std::size_t size = 0) : size_(size), values_(size * size) {}

  double& operator()(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
  std::size_t size() const { return size_; }

  // Replaces the lower triangle by L. False if the matrix is not positive definite; it is then unusable.
  [[nodiscard]] bool factor() {
    for (std::size_t j = 0; j < size_; ++j) {
      for (std::size_t i = j; i < size_; ++i) {
        double sum = (*this)(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= (*this)(i, k) * (*this)(j, k);
        if (i != j) {
          (*this)(i, j) = sum / (*this)(j, j);
        } else if (sum > 0) {
          (*this)(j, j) = std::sqrt(sum);
        } else {
          return false;
        }
      }
    }
    return true;
  }

  // Solves L x = y in place. Contract: factor() returned true.
  void solve_lower(std::vector<double>& y) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < i; ++k) y[i] -= (*this)(i, k) * y[k];
      y[i] /= (*this)(i, i);
    }
  }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

}  // namespace ergon::statistics
