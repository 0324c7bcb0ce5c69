/// What an answer by HTTP means.

#include <doctest/doctest.h>

#include <string>

#include <jfrtree/clickhouse_database.hpp>

#include "clickhouse/connection/curl_library.hpp"
#include "clickhouse/connection/http_answer.hpp"

using namespace jfrtree;
using namespace jfrtree::clickhouse;
using namespace jfrtree::internal;

namespace {

HttpAnswer answer(long status, std::string body) {
  HttpAnswer made;
  made.status = status;
  made.body = std::move(body);
  return made;
}

struct Seen {
  DatabaseFault fault;
  std::string text;
};

Seen refused(const HttpAnswer& given, const std::string& address = "http://h/") {
  try {
    check_answer(given, address);
  } catch (const DatabaseError& error) {
    return {error.fault(), error.what()};
  }
  FAIL("it was taken for success");
  return {};
}

constexpr const char* exception =
    "Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED) (version 24.8.4.1 "
    "(official build))\n";

}  // namespace

TEST_CASE("headers are read whatever their case, those of the last answer count") {
  HttpAnswer given;
  given.take_header("HTTP/1.1 307 Temporary Redirect\r\n");
  given.take_header("location:  https://other/ \r\n");
  CHECK(given.location == "https://other/");
  given.take_header("HTTP/1.1 500 Internal Server Error\r\n");
  CHECK(given.location.empty());
  given.take_header("x-clickhouse-EXCEPTION-code: 252\r\n");
  given.take_header("X-ClickHouse-Exception-Tag: abc\r\n");
  given.take_header("X-ClickHouse-Exception-Code-Other: 1\r\n");
  given.take_header("Location\r\n");
  given.take_header("\r\n");
  CHECK(given.exception_code == 252);
  CHECK(given.exception_tag == "abc");
}

TEST_CASE("an exception behind rows is no success, text like it is") {
  CHECK(exception_after_rows(answer(200, std::string("1\t2\n") + exception))
            .starts_with("Code: 241"));
  CHECK(exception_after_rows(answer(200, "")).empty());
  CHECK(exception_after_rows(answer(200, "DB::Exception: ")).empty());
  CHECK(exception_after_rows(answer(200, std::string(exception) + "more")).empty());
  CHECK(exception_after_rows(answer(200, "Code: 1. DB::Exception: no version (x)")).empty());
  CHECK_NOTHROW(check_answer(answer(200, std::string(exception) + "\x01\x02"), "http://h/"));
  HttpAnswer tagged = answer(200,
                             "\x01\r\n__exception__\r\nabc\r\nCode: 60. DB::Exception: Gone. (X)"
                             "\r\n30 abc\r\n__exception__\r\n");
  CHECK(exception_after_rows(tagged).empty());
  tagged.exception_tag = "abc";
  CHECK(exception_after_rows(tagged).starts_with("Code: 60. DB::Exception: Gone."));
  CHECK(refused(tagged).fault == DatabaseFault::missing_table);
  CHECK(refused(answer(200, std::string("1\n") + exception)).fault == DatabaseFault::busy);
}

TEST_CASE("what may pass is told from what stays") {
  CHECK(refused(answer(503, "later")).fault == DatabaseFault::busy);
  CHECK(refused(answer(429, "")).fault == DatabaseFault::busy);
  CHECK(refused(answer(403, "")).fault == DatabaseFault::denied);
  CHECK(refused(answer(413, "")).text.find("no more at once") != std::string::npos);
  CHECK(refused(answer(404, "a\x1b[31m\nb\n")).text.ends_with("HTTP status 404: a [31m b"));
  CHECK(refused(answer(301, "")).text.find("elsewhere") != std::string::npos);
  HttpAnswer given;
  given.curl_code = CurlLibrary::tls_failed;
  given.curl_message = "wrong version number";
  CHECK(refused(given, "https://h/").text.find("is http://") != std::string::npos);
  given.curl_code = CurlLibrary::peer_not_trusted;
  CHECK(refused(given).fault == DatabaseFault::denied);
  given.curl_code = CurlLibrary::empty_answer;
  CHECK(refused(given).fault == DatabaseFault::unreachable);
  CHECK(refused(given).text.find("https://") != std::string::npos);
  CHECK(refused(given, "https://h/").text.find("if this port") == std::string::npos);
  CHECK_NOTHROW(check_insert_answer(answer(200, ""), "http://h/"));
  CHECK_THROWS_AS(check_insert_answer(answer(200, "<p>"), "http://h/"), DatabaseError);
}
