#pragma once

#include "support/byte_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jfrtree::test {

/// One element of the metadata tree, exactly as it is stored: a name, attributes in order, children
/// in order. Nothing is checked, so that wrong trees can be built as easily as right ones.
struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::vector<Element> children = {};

  Element& attribute(std::string key, std::string value);
  Element& child(Element element);

  /// Replaces the first attribute of that key, or adds it.
  Element& set(const std::string& key, std::string value);
  Element& remove(const std::string& key);

  /// First child of that element name whose `name` attribute is `value`; throws
  /// std::out_of_range.
  Element& find(const std::string& element_name, const std::string& value);
};

/// Shapes of a field besides its class.
struct FieldShape {
  bool constant_pool = false;
  bool array = false;
};

// The usual elements. Ids are written in decimal, as in real recordings.
Element class_element(const std::string& name, std::uint64_t id);
Element event_class(const std::string& name, std::uint64_t id);
Element annotation_class(const std::string& name, std::uint64_t id);
Element simple_class(const std::string& name, std::uint64_t id);
Element field(const std::string& name, std::uint64_t class_id, FieldShape shape = {});
Element annotation(std::uint64_t class_id);
Element annotation(std::uint64_t class_id, const std::string& value);
Element setting(const std::string& name, std::uint64_t class_id, const std::string& default_value);
Element region(const std::string& locale, const std::string& gmt_offset);

/// root { metadata { classes }, region }
Element metadata_root(std::vector<Element> classes, Element region_element);

/// String count and strings, then the tree: the part of a metadata event after its `metadataId`.
/// Strings are numbered in the order in which the tree uses them first.
Bytes encode_metadata_tree(const Element& root, StringEncoding strings, IntegerEncoding integers);

/// String count and strings alone, for trees that are written by hand.
Bytes encode_string_table(const std::vector<std::string>& strings, StringEncoding encoding,
                          IntegerEncoding integers);

}  // namespace jfrtree::test
