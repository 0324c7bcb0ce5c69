#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

/// Throws the error of a limit that ends the reading: `what` exceed it.
[[noreturn]] inline void throw_limit(std::string_view what, std::string_view limit,
                                     std::string file) {
  const std::string name(limit);
  Problem problem;
  problem.code = ErrorCode::limit_exceeded;
  problem.file = std::move(file);
  problem.message =
      std::string(what) + " exceed the limit " + name + "; raise it with --limit " + name + "=N";
  throw LimitError(std::move(problem));
}

}  // namespace jfrtree::internal
