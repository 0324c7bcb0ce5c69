#include "stack_rows.hpp"

#include <random>
#include <set>

namespace jfrtree::bench {
namespace {

constexpr std::uint32_t methods = 6'000;
constexpr std::uint32_t callees = 4;
constexpr std::uint32_t least_depth = 33;
constexpr std::uint32_t depths = 21;

void append_length(std::string& bytes, std::uint64_t length) {
  for (; length >= 0x80; length >>= 7) bytes += static_cast<char>(length | 0x80);
  bytes += static_cast<char>(length);
}

template <typename Number>
void append_number(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    bytes += static_cast<char>(std::uint64_t{number} >> 8 * i & 0xFF);
  }
}

std::vector<std::string> method_names(std::mt19937_64& random) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < methods; ++i) {
    names.push_back("com.example.service" + std::to_string(i % 40) + ".module" +
                    std::to_string(random() % 1'000) + ".Handler" + std::to_string(i / 8) +
                    ".process" + std::to_string(i % 8));
  }
  return names;
}

using Stack = std::vector<std::uint32_t>;

Stack random_stack(std::mt19937_64& random, const std::vector<std::uint32_t>& calls) {
  Stack stack;
  const auto depth = static_cast<std::uint32_t>(least_depth + random() % depths);
  auto method = static_cast<std::uint32_t>(random() % 8);
  while (stack.size() < depth) {
    stack.push_back(method);
    // Most calls go the usual way.
    const std::uint64_t choice = random() % 16;
    method = calls[method * callees + (choice < callees ? choice : 0)];
  }
  return stack;
}

void append_stack(StackRows& rows, const Stack& stack, const std::vector<std::string>& names,
                  std::uint64_t value) {
  append_length(rows.strings, stack.size());
  append_length(rows.ids, stack.size());
  append_length(rows.ids32, stack.size());
  for (const std::uint32_t method : stack) {
    append_length(rows.strings, names[method].size());
    rows.strings += names[method];
    append_number(rows.ids, std::uint64_t{method});
    append_number(rows.ids32, method);
  }
  append_number(rows.strings, value);
  append_number(rows.ids, value);
  append_number(rows.ids32, value);
  rows.frames += stack.size();
  ++rows.rows;
}

}  // namespace

StackRows make_stack_rows(std::size_t count) {
  std::mt19937_64 random(20'261'130);
  const std::vector<std::string> names = method_names(random);
  std::vector<std::uint32_t> calls;
  for (std::uint32_t i = 0; i < methods * callees; ++i) {
    calls.push_back(static_cast<std::uint32_t>(random() % methods));
  }
  StackRows rows;
  for (std::uint32_t i = 0; i < methods; ++i) {
    append_number(rows.dictionary, std::uint64_t{i});
    append_number(rows.dictionary32, i);
    for (std::string* dictionary : {&rows.dictionary, &rows.dictionary32}) {
      append_length(*dictionary, names[i].size());
      *dictionary += names[i];
    }
  }
  std::set<Stack> seen;
  while (rows.rows < count) {
    const Stack stack = random_stack(random, calls);
    if (seen.insert(stack).second) append_stack(rows, stack, names, 1 + random() % 1'000);
  }
  return rows;
}

}  // namespace jfrtree::bench
