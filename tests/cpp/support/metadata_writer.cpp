#include "support/metadata_writer.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace jfrtree::test {

namespace {

class TreeWriter {
 public:
  explicit TreeWriter(IntegerEncoding integers) : tree_(integers) {}

  void write(const Element& element) {
    tree_.count(index_of(element.name)).count(element.attributes.size());
    for (const auto& [key, value] : element.attributes) {
      const std::uint64_t key_index = index_of(key);
      tree_.count(key_index).count(index_of(value));
    }
    tree_.count(element.children.size());
    for (const Element& child : element.children) write(child);
  }

  const Bytes& tree() const { return tree_.bytes(); }
  const std::vector<std::string>& strings() const { return strings_; }

 private:
  std::uint64_t index_of(const std::string& text) {
    const auto [position, is_new] = indexes_.try_emplace(text, strings_.size());
    if (is_new) strings_.push_back(text);
    return position->second;
  }

  ByteWriter tree_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint64_t> indexes_;
};

}  // namespace

Element& Element::attribute(std::string key, std::string value) {
  attributes.emplace_back(std::move(key), std::move(value));
  return *this;
}

Element& Element::child(Element element) {
  children.push_back(std::move(element));
  return *this;
}

Element& Element::set(const std::string& key, std::string value) {
  for (auto& [existing, text] : attributes) {
    if (existing == key) {
      text = std::move(value);
      return *this;
    }
  }
  return attribute(key, std::move(value));
}

Element& Element::remove(const std::string& key) {
  attributes.erase(std::remove_if(attributes.begin(), attributes.end(),
                                  [&](const auto& pair) { return pair.first == key; }),
                   attributes.end());
  return *this;
}

Element& Element::find(const std::string& element_name, const std::string& value) {
  for (Element& element : children) {
    if (element.name != element_name) continue;
    for (const auto& [key, text] : element.attributes) {
      if (key == "name" && text == value) return element;
    }
  }
  throw std::out_of_range("no " + element_name + " named " + value);
}

Element class_element(const std::string& name, std::uint64_t id) {
  Element element{"class"};
  return element.attribute("name", name).attribute("id", std::to_string(id));
}

Element event_class(const std::string& name, std::uint64_t id) {
  Element element{"class"};
  return element.attribute("name", name)
      .attribute("superType", "jdk.jfr.Event")
      .attribute("id", std::to_string(id));
}

Element annotation_class(const std::string& name, std::uint64_t id) {
  Element element{"class"};
  return element.attribute("name", name)
      .attribute("superType", "java.lang.annotation.Annotation")
      .attribute("id", std::to_string(id));
}

Element simple_class(const std::string& name, std::uint64_t id) {
  Element element{"class"};
  return element.attribute("name", name)
      .attribute("simpleType", "true")
      .attribute("id", std::to_string(id));
}

Element field(const std::string& name, std::uint64_t class_id, FieldShape shape) {
  Element element{"field"};
  element.attribute("name", name).attribute("class", std::to_string(class_id));
  if (shape.constant_pool) element.attribute("constantPool", "true");
  if (shape.array) element.attribute("dimension", "1");
  return element;
}

Element annotation(std::uint64_t class_id) {
  Element element{"annotation"};
  return element.attribute("class", std::to_string(class_id));
}

Element annotation(std::uint64_t class_id, const std::string& value) {
  return annotation(class_id).attribute("value", value);
}

Element setting(const std::string& name, std::uint64_t class_id, const std::string& default_value) {
  Element element{"setting"};
  return element.attribute("name", name)
      .attribute("class", std::to_string(class_id))
      .attribute("defaultValue", default_value);
}

Element region(const std::string& locale, const std::string& gmt_offset) {
  Element element{"region"};
  return element.attribute("locale", locale).attribute("gmtOffset", gmt_offset);
}

Element metadata_root(std::vector<Element> classes, Element region_element) {
  Element root{"root"};
  root.child(Element{"metadata", {}, std::move(classes)});
  return root.child(std::move(region_element));
}

Bytes encode_metadata_tree(const Element& root, StringEncoding strings, IntegerEncoding integers) {
  TreeWriter writer(integers);
  writer.write(root);
  Bytes bytes = encode_string_table(writer.strings(), strings, integers);
  append(bytes, writer.tree());
  return bytes;
}

Bytes encode_string_table(const std::vector<std::string>& strings, StringEncoding encoding,
                          IntegerEncoding integers) {
  ByteWriter writer(integers);
  writer.count(strings.size());
  for (const std::string& text : strings) {
    writer.string(text, text.empty() ? StringEncoding::empty : encoding);
  }
  return writer.bytes();
}

}  // namespace jfrtree::test
