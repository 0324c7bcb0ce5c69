#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "clickhouse/connection/body_compression.hpp"
#include "clickhouse/connection/curl_library.hpp"
#include "clickhouse/connection/database_url.hpp"
#include "clickhouse/connection/http_answer.hpp"
#include "clickhouse/connection/open_database.hpp"
#include "clickhouse/rows/sql_text.hpp"

namespace jfrtree::internal {

namespace {

using clickhouse::Compression;
using clickhouse::Database;
using clickhouse::DatabaseError;
using clickhouse::DatabaseFault;
using clickhouse::DatabaseOptions;
using clickhouse::QueryParameters;

/// How often waiting for a server looks for the wish to stop.
constexpr int look_interval_ms = 50;

/// One request: the state that libcurl's callbacks share.
struct Request {
  std::string_view whole;
  std::string_view body;  // what is left of it to be sent
  HttpAnswer answer;
};

std::size_t send_body(char* buffer, std::size_t size, std::size_t count, void* data) {
  std::string_view& body = static_cast<Request*>(data)->body;
  const std::size_t part = std::min(size * count, body.size());
  if (part > 0) std::memcpy(buffer, body.data(), part);
  body.remove_prefix(part);
  return part;
}

/// A connection that was kept may turn out to be closed: then all is sent again on a new one.
int seek_body(void* data, std::int64_t offset, int origin) {
  Request& request = *static_cast<Request*>(data);
  if (origin != SEEK_SET || offset < 0 ||
      static_cast<std::uint64_t>(offset) > request.whole.size()) {
    return 1;
  }
  request.body = request.whole.substr(static_cast<std::size_t>(offset));
  return 0;
}

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* data) {
  static_cast<Request*>(data)->answer.body.append(bytes, size * count);
  return size * count;
}

std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* data) {
  static_cast<Request*>(data)->answer.take_header({bytes, size * count});
  return size * count;
}

class HttpDatabase final : public Database {
 public:
  HttpDatabase(const DatabaseOptions& options, DatabaseUrl url)
      : options_(options), url_(std::move(url)), library_(url_.address) {
    if (!url_.has_user) url_.user = options.user;
    // The password of one user is not sent for another.
    const bool is_same_user = options.user.empty() || options.user == url_.user;
    if (url_.password.empty() && is_same_user) url_.password = options.password;
    if (!options.database.empty()) url_.database = options.database;
    handle_ = library_.easy_init();
    multi_ = library_.multi_init();
    if (handle_ == nullptr || multi_ == nullptr) {
      close();
      throw DatabaseError(DatabaseFault::no_library, url_.address, "libcurl gave no handle");
    }
  }
  ~HttpDatabase() override { close(); }

  std::string query(std::string_view sql) override { return send("", sql, Compression::none).body; }

  std::string query(std::string_view sql, const QueryParameters& parameters) override {
    std::string text;
    for (const auto& [name, value] : parameters) {
      std::string escaped;  // the server reads values as TSV
      append_escaped(escaped, value);
      text += "&param_" + name + "=" + percent_encoded(escaped);
    }
    return send(text, sql, Compression::none).body;
  }

  void insert(std::string_view target, std::string_view native) override {
    const std::string sql = "INSERT INTO " + std::string(target) + " FORMAT Native";
    // One large block: nothing is to be gathered with the rows of others.
    const std::string parameters = "&async_insert=0&query=" + percent_encoded(sql);
    check_insert_answer(send(parameters, native, options_.compression), url_.address);
  }

  const std::string& name() const noexcept override { return url_.address; }
  bool is_embedded() const noexcept override { return false; }

 private:
  void close() noexcept {
    if (handle_ != nullptr) library_.easy_cleanup(handle_);
    if (multi_ != nullptr) library_.multi_cleanup(multi_);
  }

  HttpAnswer send(const std::string& parameters, std::string_view body, Compression compression) {
    const std::string packed =
        compression == Compression::none ? std::string() : compressed(body, compression);
    Request request;
    request.whole = compression == Compression::none ? body : std::string_view(packed);
    request.body = request.whole;
    // An answer that begins with success and then fails is held back by the server.
    std::string url = url_.address + "?wait_end_of_query=1" + parameters;
    if (!url_.database.empty()) url += "&database=" + percent_encoded(url_.database);
    std::array<char, CurlLibrary::error_buffer_bytes> error{};
    perform(url, encoding_name(compression), request, error.data());
    if (request.answer.curl_code != 0) {
      request.answer.curl_message =
          error[0] != 0 ? error.data() : library_.easy_strerror(request.answer.curl_code);
    }
    check_answer(request.answer, url_.address);
    return std::move(request.answer);
  }

  void perform(const std::string& url, std::string_view encoding, Request& request, char* error) {
    std::vector<std::string> headers = {"Transfer-Encoding: chunked",
                                        "Expect:", "Content-Type: application/octet-stream"};
    if (!encoding.empty()) headers.push_back("Content-Encoding: " + std::string(encoding));
    if (!url_.user.empty()) headers.push_back("X-ClickHouse-User: " + url_.user);
    if (!url_.password.empty()) headers.push_back("X-ClickHouse-Key: " + url_.password);
    CurlLibrary::List* list = nullptr;
    for (const std::string& header : headers) list = library_.list_append(list, header.c_str());
    library_.easy_reset(handle_);
    const auto set = [this](CurlLibrary::Option option, auto value) {
      library_.easy_setopt(handle_, option, value);
    };
    set(CurlLibrary::option_url, url.c_str());
    set(CurlLibrary::option_post, 1L);
    set(CurlLibrary::option_headers, list);
    set(CurlLibrary::option_read_function, send_body);
    set(CurlLibrary::option_read_data, &request);
    set(CurlLibrary::option_seek_function, seek_body);
    set(CurlLibrary::option_seek_data, &request);
    set(CurlLibrary::option_write_function, take_body);
    set(CurlLibrary::option_write_data, &request);
    set(CurlLibrary::option_header_function, take_header);
    set(CurlLibrary::option_header_data, &request);
    set(CurlLibrary::option_no_signal, 1L);
    set(CurlLibrary::option_connect_timeout_ms,
        static_cast<long>(options_.connect_timeout.count()));
    // Not one byte for so long: it will not come any more.
    set(CurlLibrary::option_low_speed_bytes, 1L);
    set(CurlLibrary::option_low_speed_seconds, static_cast<long>(options_.answer_timeout.count()));
    // A machine that went away is noticed sooner.
    set(CurlLibrary::option_keep_alive, 1L);
    set(CurlLibrary::option_error_buffer, error);
    if (!options_.certificates.empty()) {
      set(CurlLibrary::option_certificates, options_.certificates.c_str());
    }
    const std::optional<int> code = transfer();
    library_.easy_getinfo(handle_, CurlLibrary::info_response_code, &request.answer.status);
    library_.list_free(list);
    if (!code) throw Interrupted();
    request.answer.curl_code = *code;
  }

  /// The code that the transfer ended with; nothing when it was to stop. A server that works on a
  /// query says nothing meanwhile, so the wish is looked for in short intervals.
  std::optional<int> transfer() {
    std::optional<int> code;
    int error = library_.multi_add(multi_, handle_);
    int running = 1;
    const auto is_stopped = [this] { return options_.stop != nullptr && options_.stop->load(); };
    while (error == 0 && running > 0 && !is_stopped()) {
      error = library_.multi_perform(multi_, &running);
      if (error == 0 && running > 0) {
        error = library_.multi_wait(multi_, nullptr, 0, look_interval_ms, nullptr);
      }
    }
    int waiting = 0;
    while (const CurlLibrary::Message* const message = library_.multi_read(multi_, &waiting)) {
      code = message->data.result;
    }
    library_.multi_remove(multi_, handle_);
    if (error != 0) return CurlLibrary::failed_init;
    return code;
  }

  DatabaseOptions options_;
  DatabaseUrl url_;
  CurlLibrary library_;
  CurlLibrary::Handle* handle_ = nullptr;
  CurlLibrary::Multi* multi_ = nullptr;
};

}  // namespace

std::unique_ptr<Database> open_http(const DatabaseOptions& options) {
  return std::make_unique<HttpDatabase>(options, parse_database_url(options.place));
}

void create_database(const DatabaseOptions& options) {
  DatabaseUrl url = parse_database_url(options.place);
  const std::string name = options.database.empty() ? url.database : options.database;
  url.database.clear();
  DatabaseOptions without = options;
  without.database.clear();
  (void)HttpDatabase(without, std::move(url))
      .query("CREATE DATABASE IF NOT EXISTS " + sql_name(name));
}

}  // namespace jfrtree::internal
