#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using namespace jfrtree::test;

void list() {
  for (const Scenario& entry : scenarios()) {
    std::cout << entry.name << "\tfine\t" << entry.contents << '\n';
  }
  for (const HostileRecording& entry : hostile_recordings()) {
    std::cout << entry.name << '\t' << to_string(entry.expected) << '\t' << entry.what_is_wrong
              << '\n';
  }
}

Bytes build(std::string_view name) {
  for (const Scenario& entry : scenarios()) {
    if (entry.name == name) return entry.build();
  }
  for (const HostileRecording& entry : hostile_recordings()) {
    if (entry.name == name) return entry.build();
  }
  throw std::out_of_range("no recording is called " + std::string(name) + "; see --list");
}

void write(const std::string& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--list") {
      list();
      return 0;
    }
    if (argc != 3) {
      std::cerr << "usage: make_recording NAME OUT\n"
                   "       make_recording --list   (name, expected outcome, what it is)\n";
      return 2;
    }
    write(argv[2], build(argv[1]));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "make_recording: " << error.what() << '\n';
    return 1;
  }
}
