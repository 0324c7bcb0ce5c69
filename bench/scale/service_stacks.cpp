#include "service_stacks.hpp"

#include <algorithm>
#include <array>

#include <jfrtree/sample_rows.hpp>

namespace jfrtree::bench {
namespace {

constexpr std::uint32_t library_methods = 3'000;
constexpr std::uint32_t callees = 4;
constexpr std::uint32_t least_depth = 20;
constexpr std::uint32_t depths = 61;

constexpr std::array<std::string_view, 8> libraries = {
    "java.util.concurrent", "java.util.stream",           "org.springframework.web.servlet",
    "io.netty.channel",     "com.fasterxml.jackson.core", "org.hibernate.engine.internal",
    "org.apache.kafka",     "jdk.internal.reflect"};
constexpr std::array<std::string_view, 8> verbs = {"handle", "process", "invoke",  "read",
                                                   "write",  "apply",   "resolve", "lambda$of$"};
constexpr std::array<std::string_view, 6> nouns = {"Request", "Order",   "Context",
                                                   "Session", "Message", "Invoice"};
constexpr std::array<std::string_view, 10> classes = {"byte[]",
                                                      "char[]",
                                                      "int[]",
                                                      "java.lang.Object[]",
                                                      "java.lang.String",
                                                      "java.util.ArrayList",
                                                      "java.util.HashMap$Node",
                                                      "java.lang.Long",
                                                      "java.util.LinkedHashMap$Entry",
                                                      "java.lang.StringBuilder"};

template <typename List>
[[nodiscard]] std::string one_of(const List& list, std::mt19937_64& random) {
  return std::string(list[random() % list.size()]);
}

[[nodiscard]] std::string method_name(const std::string& package, std::mt19937_64& random,
                                      std::uint32_t number) {
  return package + "." + one_of(nouns, random) + one_of(nouns, random) +
         std::to_string(number / 6) + "." + one_of(verbs, random) + one_of(nouns, random) +
         (number % 6 == 0 ? "" : std::to_string(number % 6));
}

}  // namespace

ServiceStacks::ServiceStacks(std::uint32_t service, std::uint32_t count, std::mt19937_64& random)
    : count_(count) {
  add_texts(service, random);
  views_.assign(texts_.begin(), texts_.end());
  for (std::uint32_t kind = 0; kind < 2; ++kind) {
    for (std::uint32_t i = 0; i < count; ++i) add_stack(kind, random);
  }
}

/// The methods of libraries are those of every service.
void ServiceStacks::add_texts(std::uint32_t service, std::mt19937_64& random) {
  std::mt19937_64 same(1);
  texts_.emplace_back("java.lang.Thread.run");
  for (std::uint32_t i = 1; i < library_methods; ++i) {
    texts_.push_back(method_name(std::string(libraries[i % libraries.size()]), same, i));
  }
  const std::uint32_t own = 1'000 + std::min(count_ / 10, 5'000U);
  for (std::uint32_t i = 0; i < own; ++i) {
    const std::string package =
        "com.example.service" + std::to_string(service) + ".module" + std::to_string(i / 50);
    texts_.push_back(method_name(package, random, i));
  }
  methods_ = static_cast<std::uint32_t>(texts_.size());
  for (const std::string_view name : classes) texts_.emplace_back(name);
}

void ServiceStacks::add_stack(std::uint32_t kind, std::mt19937_64& random) {
  const auto stacks = static_cast<std::uint32_t>(hashes_.size());
  const auto depth = static_cast<std::size_t>(least_depth + random() % depths);
  std::vector<std::uint32_t> stack = {0};
  if (stacks > 0) {
    // Frames near the root are shared by nearly all, those further down by few.
    const auto other = frames(static_cast<std::uint32_t>(random() % stacks));
    const std::size_t most = std::min(depth, other.size()) - 1;
    const std::size_t shared = 1 + std::max(random() % most, random() % most);
    stack.assign(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(shared));
    while (stack.back() >= methods_) stack.pop_back();  // a class is the last frame only
  }
  while (stack.size() < depth) {
    const std::uint64_t caller = stack.back();
    std::uint64_t callee = random() % callees;
    // A method calls a few others, always the same; those of the service and of libraries take
    // turns.
    callee = (caller * callees + callee + stack.size() / 8) * 0x9E37'79B9'7F4A'7C15U >> 20;
    const bool is_own = random() % 16 == 0 ? caller < library_methods : caller >= library_methods;
    stack.push_back(
        static_cast<std::uint32_t>(is_own ? library_methods + callee % (methods_ - library_methods)
                                          : callee % library_methods));
  }
  if (kind == 1) {
    stack.push_back(methods_ + static_cast<std::uint32_t>(random() % classes.size()));
  }
  std::vector<std::string_view> names;
  for (const std::uint32_t frame : stack) names.push_back(views_[frame]);
  frames_.insert(frames_.end(), stack.begin(), stack.end());
  ends_.push_back(frames_.size());
  hashes_.push_back(stack_hash(names));
}

}  // namespace jfrtree::bench
