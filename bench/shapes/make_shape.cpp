#include "shape.hpp"

#include <charconv>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using jfrtree::bench::Shape;

/// Sets what an argument like `depth=100` says.
void set(Shape& shape, std::string_view argument) {
  const std::size_t equals = argument.find('=');
  std::uint64_t value = 0;
  if (equals != std::string_view::npos) {
    const std::string_view digits = argument.substr(equals + 1);
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
    const bool is_number = error == std::errc{} && end == digits.end();
    if (is_number && shape.set(argument.substr(0, equals), value)) return;
  }
  throw std::invalid_argument("not a number of a shape: " + std::string(argument));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) {
      std::cerr << "usage: make_shape OUT [NAME=NUMBER...]\n"
                   "Writes a recording. NAME: events stacks depth children symbols threads chunks\n"
                   "checkpoints kinds types; shape.hpp says what they are.\n";
      return 2;
    }
    Shape shape;
    for (int i = 2; i < argc; ++i) set(shape, argv[i]);
    std::ofstream file(argv[1], std::ios::binary);
    jfrtree::bench::make_recording(shape, [&](const jfrtree::test::Bytes& chunk) {
      file.write(reinterpret_cast<const char*>(chunk.data()),
                 static_cast<std::streamsize>(chunk.size()));
    });
    file.close();
    if (!file) throw std::runtime_error("cannot write " + std::string(argv[1]));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "make_shape: " << error.what() << '\n';
    return 1;
  }
}
