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

/// Finds the numbers of texts that are stored elsewhere, and stay there. Faster than a general map
/// where nearly every look-up finds something: one slot, one comparison, no call.
class TextIndex {
 public:
  struct Entry {
    const char* text = nullptr;
    std::uint32_t size = 0;
    std::uint32_t number = 0;
  };

  TextIndex() { clear(); }

  /// Asks for the entry of a text before it is needed; returns its hash.
  [[nodiscard]] std::uint64_t prefetch(std::string_view text) const noexcept {
    const std::uint64_t hash = hash_of(text);
    __builtin_prefetch(&entries_[hash >> shift_]);
    return hash;
  }
  /// Asks for the text of the entry that a hash leads to.
  void prefetch_text(std::uint64_t hash) const noexcept {
    __builtin_prefetch(entries_[hash >> shift_].text);
  }

  /// The entry of a text, or the one where it belongs, which has no text.
  [[nodiscard]] Entry& find(std::string_view text, std::uint64_t hash) noexcept {
    std::size_t slot = hash >> shift_;
    while (entries_[slot].text != nullptr &&
           !(entries_[slot].size == text.size() &&
             std::memcmp(entries_[slot].text, text.data(), text.size()) == 0)) {
      slot = (slot + 1) & (entries_.size() - 1);
    }
    return entries_[slot];
  }
  [[nodiscard]] Entry& find(std::string_view text) noexcept { return find(text, hash_of(text)); }

  /// Fills the entry that `find` returned. Entries may move.
  void insert(Entry& entry, std::string_view stored, std::uint32_t number) {
    // An empty text may lie nowhere; an entry without a text would be free.
    entry = {stored.empty() ? "" : stored.data(), static_cast<std::uint32_t>(stored.size()),
             number};
    if (++count_ * 2 > entries_.size()) {
      grow();
    }
  }

  void clear() {
    entries_.assign(first_slots, Entry{});
    shift_ = 64 - first_bits;
    count_ = 0;
  }

 private:
  static constexpr unsigned first_bits = 13;
  static constexpr std::size_t first_slots = std::size_t{1} << first_bits;

  [[nodiscard]] static std::uint64_t fold(std::uint64_t one, std::uint64_t other) noexcept {
    const WideProduct product = WideProduct{one} * other;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  /// Both factors of each product have a part that nobody outside of the process knows: no text can
  /// be made for which one is zero. The products do not wait for each other.
  [[nodiscard]] std::uint64_t hash_of(std::string_view text) const noexcept {
    const char* const bytes = text.data();
    const std::size_t size = text.size();
    if (size < 8) {
      std::uint64_t word = size;
      for (std::size_t index = 0; index < size; ++index) {
        word = word << 8 | static_cast<unsigned char>(bytes[index]);
      }
      return mix64(word, seed_);
    }
    std::uint64_t hash = 0;
    std::uint64_t key = seed_;
    std::size_t offset = 0;
    for (; offset + 16 < size; offset += 16) {
      hash ^= fold(load_word(bytes + offset) ^ key, load_word(bytes + offset + 8) ^ other_seed_);
      key += 0xC4A7'3B59'E10F'6D2BU;
    }
    const std::uint64_t left = size >= 16 ? load_word(bytes + size - 16) : load_word(bytes);
    hash ^= fold(left ^ key, load_word(bytes + size - 8) ^ other_seed_ ^ size);
    return (hash ^ seed_) * 0x9E37'79B9'7F4A'7C15U;
  }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    shift_ -= 1;
    for (const Entry& entry : old) {
      if (entry.text != nullptr) {
        find({entry.text, entry.size}) = entry;
      }
    }
  }

  std::vector<Entry> entries_;
  unsigned shift_ = 0;
  std::size_t count_ = 0;
  std::uint64_t seed_ = process_seed();
  std::uint64_t other_seed_ = mix64(~process_seed());
};

/// The numbers of the ids that were seen last, one per slot; others are found in a map behind it.
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
