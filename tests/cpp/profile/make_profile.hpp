#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

namespace jfrtree::test {

/// A stack and its numbers, frames root first.
struct Stack {
  std::vector<std::string> frames;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> value;
};

/// The profile of some stacks, in any order; equal ones are summed. It has the sample types
/// `samples` in `count` and, if any stack has a value, `alloc_space` in `bytes`, which is the
/// default then.
Profile make_profile(std::vector<Stack> stacks, std::string kind = "alloc");

/// The same from one line per stack: `a;b;c 3`, or `a;b;c 3 4096` with a value.
Profile make_profile(std::string_view lines, std::string kind = "alloc");

/// The stacks of a profile in its order, with frames as texts.
std::vector<Stack> stacks_of(const Profile& profile);

bool operator==(const Stack& a, const Stack& b);

/// Stacks of one to six frames, `a` to `d`, with counts and values, equal ones among them; the same
/// in every run.
std::vector<Stack> random_stacks(std::size_t count);

/// A frame name with everything that an output could trip over: separators, quotes, backslashes,
/// line breaks, NUL, characters outside the first plane, the end of a script.
std::string hostile_name();

}  // namespace jfrtree::test
