#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "io/hash.hpp"

namespace jfrtree::internal {

// NOLINTNEXTLINE(modernize-use-using): only a typedef can be marked as an extension.
__extension__ typedef unsigned __int128 WideProduct;

[[nodiscard]] inline std::uint64_t load_word(const char* bytes) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Whether two texts of one length, of at least 8 bytes, are equal: word by word, the last one
/// overlapping.
[[nodiscard]] inline bool is_equal_text(const char* one, const char* other,
                                        std::size_t size) noexcept {
  std::uint64_t difference = load_word(one + size - 8) ^ load_word(other + size - 8);
  std::size_t offset = 0;
  for (; offset + 16 < size; offset += 16) {
    difference |= (load_word(one + offset) ^ load_word(other + offset)) |
                  (load_word(one + offset + 8) ^ load_word(other + offset + 8));
  }
  if (offset + 8 < size) {
    difference |= load_word(one + offset) ^ load_word(other + offset);
  }
  return difference == 0;
}

/// The numbers of the texts that were seen last, one per slot. A slot is chosen by the length and
/// three words of a text, which costs less than a hash of all its bytes; texts that differ
/// elsewhere alone, or clash by chance, are found in the table behind it, whose hash is a full one.
class RecentTexts {
 public:
  RecentTexts() : entries_(slots), seed_(process_seed()) {}

  struct Entry {
    const char* text = nullptr;
    std::uint32_t size = 0;
    std::uint32_t number = 0;
  };

  /// The slot of a text of at least 8 bytes.
  [[nodiscard]] Entry& slot(std::string_view text) noexcept {
    const char* const middle = text.data() + (text.size() - 8) / 2;
    const std::uint64_t ends =
        load_word(text.data()) * 0x9E37'79B9'7F4A'7C15U ^ load_word(text.data() + text.size() - 8);
    const WideProduct product =
        WideProduct{ends ^ seed_} * (load_word(middle) ^ (seed_ << 1 | 1) ^ text.size() << 48);
    const std::uint64_t hash =
        static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    return entries_[hash >> (64 - slot_bits)];
  }

  [[nodiscard]] static bool holds(const Entry& entry, std::string_view text) noexcept {
    return entry.size == text.size() && is_equal_text(entry.text, text.data(), text.size());
  }

  void clear() { entries_.assign(slots, Entry{}); }

 private:
  static constexpr unsigned slot_bits = 14;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;

  std::vector<Entry> entries_;
  std::uint64_t seed_;
};

/// The same for ids of frames.
class RecentIds {
 public:
  RecentIds() : entries_(slots), seed_(process_seed()) {}

  struct Entry {
    std::uint64_t id = 0;
    std::uint64_t number = ~std::uint64_t{0};  ///< that of no frame: the slot is free
  };

  [[nodiscard]] Entry& slot(std::uint64_t id) noexcept {
    return entries_[((id ^ seed_) * 0x9E37'79B9'7F4A'7C15U) >> (64 - slot_bits)];
  }
  void clear() { entries_.assign(slots, Entry{}); }

 private:
  static constexpr unsigned slot_bits = 14;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;

  std::vector<Entry> entries_;
  std::uint64_t seed_;
};

}  // namespace jfrtree::internal
