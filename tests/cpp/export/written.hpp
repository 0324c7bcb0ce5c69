#pragma once

#include <string>

#include <jfrtree/output.hpp>

namespace jfrtree::test {

/// What a function writes to the output it is given.
template <typename Write>
std::string written(Write write) {
  std::string text;
  const auto output = string_output(text);
  write(*output);
  output->commit();
  return text;
}

}  // namespace jfrtree::test
