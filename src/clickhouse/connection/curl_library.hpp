#pragma once

#include <string>

#include "clickhouse/connection/shared_library.hpp"

namespace jfrtree::internal {

/// The functions of libcurl that are used, and the numbers of its options, which never change.
struct CurlLibrary {
  struct Handle;
  struct List;
  struct Multi;
  /// What a transfer ended with; `result` is the code.
  struct Message {
    int message;
    Handle* handle;
    union {
      void* whatever;
      int result;
    } data;
  };

  enum Option : int {
    option_low_speed_bytes = 19,
    option_low_speed_seconds = 20,
    option_post = 47,
    option_no_signal = 99,
    option_connect_timeout_ms = 156,
    option_keep_alive = 213,
    option_url = 10002,
    option_write_data = 10001,
    option_read_data = 10009,
    option_error_buffer = 10010,
    option_headers = 10023,
    option_header_data = 10029,
    option_seek_data = 10168,
    option_certificates = 10065,
    option_write_function = 20011,
    option_read_function = 20012,
    option_header_function = 20079,
    option_seek_function = 20167,
  };
  static constexpr int info_response_code = 0x20'0002;
  static constexpr std::size_t error_buffer_bytes = 256;
  static constexpr int not_http = 1;
  static constexpr int failed_init = 2;
  static constexpr int timed_out = 28;
  static constexpr int tls_failed = 35;
  static constexpr int empty_answer = 52;
  static constexpr int receive_failed = 56;
  static constexpr int peer_not_trusted = 60;
  static constexpr int bad_certificates = 77;

  int (*global_init)(long flags) = nullptr;
  Handle* (*easy_init)() = nullptr;
  int (*easy_setopt)(Handle* handle, int option, ...) = nullptr;
  int (*easy_getinfo)(Handle* handle, int info, ...) = nullptr;
  void (*easy_reset)(Handle* handle) = nullptr;
  void (*easy_cleanup)(Handle* handle) = nullptr;
  const char* (*easy_strerror)(int code) = nullptr;
  Multi* (*multi_init)() = nullptr;
  int (*multi_add)(Multi* multi, Handle* handle) = nullptr;
  int (*multi_remove)(Multi* multi, Handle* handle) = nullptr;
  int (*multi_perform)(Multi* multi, int* running) = nullptr;
  int (*multi_wait)(Multi* multi, void* extra, unsigned extra_count, int timeout_ms,
                    int* ready) = nullptr;
  Message* (*multi_read)(Multi* multi, int* waiting) = nullptr;
  int (*multi_cleanup)(Multi* multi) = nullptr;
  List* (*list_append)(List* list, const char* text) = nullptr;
  void (*list_free)(List* list) = nullptr;

  /// Opens the library. Throws DatabaseError that says how to get it.
  explicit CurlLibrary(const std::string& database);

 private:
  SharedLibrary library_;
};

}  // namespace jfrtree::internal
