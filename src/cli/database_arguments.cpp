#include "cli/database_arguments.hpp"

#include <cstdlib>
#include <fstream>
#include <string_view>

#include <jfrtree/error.hpp>
#include <jfrtree/filter.hpp>

#include "cli/signals.hpp"

namespace jfrtree::cli {
namespace {

clickhouse::Compression find_compression(const std::string& name) {
  if (name == "none") return clickhouse::Compression::none;
  if (name == "zstd") return clickhouse::Compression::zstd;
  if (name == "lz4") return clickhouse::Compression::lz4;
  if (name == "gzip") return clickhouse::Compression::gzip;
  throw UsageError("--compression: '" + name + "' is none of zstd, lz4, gzip, none");
}

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// The first line of a file.
std::string read_password(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) {
    throw UsageError("--password-file: " + path + " cannot be read, or is empty");
  }
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  return line;
}

}  // namespace

void DatabaseArguments::add_to(CommandLine& line) {
  options_.engine = line.engine();
  line.begin_group("Database");
  line.add_value("--db", "DIR|URL",
                 "a folder for the embedded engine, or http://HOST:8123, https://HOST:8443; "
                 "default: jfrtree.chdb",
                 [this](const std::string& value) {
                   if (value.empty()) {
                     throw UsageError("--db: needs a folder or a URL");
                   }
                   options_.place = value;
                 });
  line.add_value("--database", "NAME", "the database in it; default: that of the URL, or default",
                 [this](const std::string& value) { options_.database = value; });
  line.add_value("--user", "NAME",
                 "the user; default: that of the URL, or CLICKHOUSE_USER; the password comes from "
                 "the URL, CLICKHOUSE_PASSWORD or --password-file",
                 [this](const std::string& value) { options_.user = value; });
  line.add_value("--password-file", "PATH", "a file whose first line is the password",
                 [this](const std::string& value) { password_file_ = value; });
  line.add_value(
      "--compression", "NAME", "of what is sent: zstd (default), lz4, gzip or none",
      [this](const std::string& value) { options_.compression = find_compression(value); });
  line.add_value("--ca-file", "PATH", "certificates to trust for https",
                 [this](const std::string& value) { options_.certificates = value; });
  line.add_value("--timeout", "TIME",
                 "how long a server may take to answer without sending a byte; default: 10m",
                 [this](const std::string& value) { set_timeout(value); });
  line.add_value("--chdb-library", "PATH",
                 "libchdb.so, the embedded engine; default: JFRTREE_LIBCHDB, or searched for",
                 [this](const std::string& value) { options_.chdb_library = value; });
}

void DatabaseArguments::set_timeout(const std::string& text) {
  constexpr std::uint64_t second = 1'000'000'000;
  constexpr std::uint64_t longest = 86'400 * second;
  std::uint64_t time = 0;
  try {
    time = parse_time_length(text);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--timeout: ") + error.what());
  }
  if (time < second || time > longest) {
    throw UsageError("--timeout: '" + text + "' is not between 1s and 1d");
  }
  options_.answer_timeout = std::chrono::seconds(time / second);
}

clickhouse::DatabaseOptions DatabaseArguments::options() const {
  clickhouse::DatabaseOptions options = options_;
  if (options.user.empty()) {
    options.user = from_environment("CLICKHOUSE_USER");
  }
  options.password = password_file_.empty() ? from_environment("CLICKHOUSE_PASSWORD")
                                            : read_password(password_file_);
  options.stop = &stop_requested();
  return options;
}

}  // namespace jfrtree::cli
