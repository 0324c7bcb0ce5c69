#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/clickhouse_engine.hpp>

namespace jfrtree::cli {

/// An option as help shows it.
struct OptionHelp {
  std::string group;        ///< heading it stands under
  std::string names;        ///< e.g. "-o, --output"
  std::string value_name;   ///< e.g. "PATH"; empty for a flag
  std::string description;  ///< one or two sentences
};

/// The options of one command and the arguments given to it.
///
/// Options that take a value take exactly one, `--name VALUE`, `--name=VALUE`, `-n VALUE` or
/// `-nVALUE`; options and FILEs may be mixed; after `--` everything is a FILE. Names are written as
/// "-o,--output". All errors are UsageErrors whose message begins with the option's name.
class CommandLine {
 public:
  /// `engine` is for options that name a folder of the embedded ClickHouse.
  explicit CommandLine(clickhouse::EngineFactory engine = {});
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Heading of the options that are added from now on.
  void begin_group(std::string title) { group_ = std::move(title); }

  /// Shows `-h, --help` among the options; it works in any case.
  void add_help() { describe("-h,--help", "", "this text"); }
  void add_flag(const std::string& names, const std::string& description, bool& target);
  /// `--name` and `--no-name`; of several the last one counts.
  void add_switch(const std::string& name, const std::string& description,
                  std::function<void(bool)> take);
  /// An option that may be given once.
  void add_value(const std::string& names, const std::string& value_name,
                 const std::string& description, std::function<void(const std::string&)> take);
  /// An option that may be given several times; `take` is called for each in order.
  void add_values(const std::string& names, const std::string& value_name,
                  const std::string& description, std::function<void(const std::string&)> take);

  /// False when `--help` was among the arguments: the rest was not looked at then.
  [[nodiscard]] bool parse(std::span<const std::string> arguments);

  /// Arguments that belong to no option, in order.
  [[nodiscard]] const std::vector<std::string>& files() const noexcept { return files_; }
  [[nodiscard]] const std::vector<OptionHelp>& options() const noexcept { return options_; }
  [[nodiscard]] const clickhouse::EngineFactory& engine() const noexcept { return engine_; }

 private:
  class Parser;

  void check_extras();
  [[nodiscard]] bool parse_options(std::span<const std::string> arguments);
  [[nodiscard]] std::vector<std::string> option_names() const;
  [[nodiscard]] std::string file_hint(std::span<const std::string> arguments) const;
  void describe(const std::string& names, const std::string& value_name,
                const std::string& description);

  clickhouse::EngineFactory engine_;
  std::unique_ptr<Parser> parser_;
  std::string group_;
  std::vector<OptionHelp> options_;
  std::vector<std::string> files_;
};

/// A whole number in decimal digits within bounds, or a UsageError that names the option.
[[nodiscard]] std::uint64_t parse_number(std::string_view option, const std::string& text,
                                         std::uint64_t lowest, std::uint64_t highest);

/// A decimal number within bounds, or a UsageError that names the option.
[[nodiscard]] double parse_decimal(std::string_view option, const std::string& text, double lowest,
                                   double highest);

}  // namespace jfrtree::cli
