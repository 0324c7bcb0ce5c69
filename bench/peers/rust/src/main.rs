//! Collapsed allocation stacks by jfrs.
//!
//! Arguments: recording, output file.

use std::convert::TryFrom;
use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use jfrs::reader::event::Accessor;
use jfrs::reader::value_descriptor::ValueDescriptor;
use jfrs::reader::JfrReader;
use rustc_hash::FxHashMap;

/// Names a sum within one chunk: ids mean nothing beyond it.
type Key = (i64, i64);

#[derive(Default)]
struct Sums {
    by_text: FxHashMap<String, i64>,
}

impl Sums {
    fn read(&mut self, path: &str) -> Result<(), Box<dyn Error>> {
        let mut file = JfrReader::new(File::open(path)?);
        for item in file.chunks() {
            let (mut reader, chunk) = item?;
            let mut by_key: FxHashMap<Key, (String, i64)> = FxHashMap::default();
            for event in reader.events(&chunk) {
                let event = event?;
                let size_field = match event.class.name() {
                    "jdk.ObjectAllocationInNewTLAB" => "tlabSize",
                    "jdk.ObjectAllocationOutsideTLAB" => "allocationSize",
                    _ => continue,
                };
                let value = event.value();
                let key = (constant_id(&value, "stackTrace"), constant_id(&value, "objectClass"));
                let sum = by_key.entry(key).or_insert_with(|| {
                    let class = class_name(value.get_field("objectClass"));
                    (stack_text(value.get_field("stackTrace")) + ";" + &readable(class), 0)
                });
                sum.1 += number(value.get_field(size_field));
            }
            for (text, bytes) in by_key.into_values() {
                *self.by_text.entry(text).or_default() += bytes;
            }
        }
        Ok(())
    }

    fn write(&self, path: &str) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        for (text, bytes) in &self.by_text {
            writeln!(out, "{text} {bytes}")?;
        }
        out.flush()
    }
}

fn constant_id(event: &Accessor, field: &str) -> i64 {
    match event.get_field_raw(field).map(|raw| raw.value) {
        Some(ValueDescriptor::ConstantPool { constant_index, .. }) => *constant_index,
        _ => 0,
    }
}

fn number(value: Option<Accessor>) -> i64 {
    value.and_then(|v| i64::try_from(v.value).ok()).unwrap_or(0)
}

fn symbol(value: Option<Accessor>) -> String {
    value
        .and_then(|symbol| symbol.get_field("string"))
        .and_then(|string| <&str>::try_from(string.value).ok().map(str::to_owned))
        .unwrap_or_else(|| "?".to_owned())
}

fn class_name(class: Option<Accessor>) -> String {
    symbol(class.and_then(|c| c.get_field("name"))).replace('/', ".")
}

fn stack_text(stack: Option<Accessor>) -> String {
    let frames = stack.and_then(|s| s.get_field("frames")).and_then(|f| f.as_iter());
    let mut texts: Vec<String> = match frames {
        None => Vec::new(),
        Some(frames) => frames.map(|frame| frame_text(frame.get_field("method"))).collect(),
    };
    if texts.is_empty() {
        return "[no stack]".to_owned();
    }
    texts.reverse();
    texts.join(";")
}

fn frame_text(method: Option<Accessor>) -> String {
    match method {
        None => "?".to_owned(),
        Some(m) => class_name(m.get_field("type")) + "." + &symbol(m.get_field("name")),
    }
}

/// The name of an array class as Java has it: `[[I` is `int[][]`.
fn readable(name: String) -> String {
    let element = name.trim_start_matches('[');
    let dimensions = name.len() - element.len();
    if dimensions == 0 {
        return name;
    }
    let element = match element.as_bytes()[0] {
        b'Z' => "boolean",
        b'B' => "byte",
        b'C' => "char",
        b'S' => "short",
        b'I' => "int",
        b'J' => "long",
        b'F' => "float",
        b'D' => "double",
        _ => &element[1..element.len() - 1],
    };
    element.to_owned() + &"[]".repeat(dimensions)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().collect();
    let mut sums = Sums::default();
    sums.read(&args[1])?;
    Ok(sums.write(&args[2])?)
}
