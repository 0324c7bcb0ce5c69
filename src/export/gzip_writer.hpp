#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace jfrtree::internal {

/// Compresses bytes to one gzip member and hands it on in pieces. The result depends on the bytes
/// alone: the header holds no time and no name.
class GzipWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// What of the bytes before is looked for again.
  enum class Repeats : std::uint8_t {
    any,   ///< whatever was there before; the default
    runs,  ///< the same byte again and again: three times as fast, for numbers that do not repeat
  };

  explicit GzipWriter(Sink sink);
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;
  ~GzipWriter();

  /// For the bytes that follow.
  void set_repeats(Repeats repeats);

  void append(std::string_view bytes);

  /// Ends the member. Call once, after the last bytes; never from a destructor, so that errors of
  /// the sink are seen.
  void finish();

 private:
  struct Stream;

  void deflate_input(std::string_view bytes, int flush);
  template <typename Step>
  int run_zlib(Step deflate_some);

  Sink sink_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace jfrtree::internal
