// Numbers and names as a person reads them.

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const TIME_UNITS = [
  [1, 'ns'], [1e3, 'µs'], [1e6, 'ms'], [1e9, 's'], [60e9, 'min'], [3600e9, 'h'], [86400e9, 'd'],
];

/** Three significant digits or more: 1.23, 12.3, 123, 1,023. */
function formatShort(number) {
  const digits = number >= 99.95 || Number.isInteger(number) ? 0 : number >= 9.995 ? 1 : 2;
  return number.toLocaleString(
      'en-US', {minimumFractionDigits: digits, maximumFractionDigits: digits});
}

function formatCount(number) {
  return number.toLocaleString('en-US', {maximumFractionDigits: 0});
}

function formatBytes(bytes) {
  let unit = 0;
  let scaled = bytes;
  while (scaled >= 1024 && unit < BYTE_UNITS.length - 1) {
    scaled /= 1024;
    ++unit;
  }
  return `${formatShort(scaled)} ${BYTE_UNITS[unit]}`;
}

function formatNanoseconds(nanoseconds) {
  let [size, name] = TIME_UNITS[0];
  for (const unit of TIME_UNITS) if (nanoseconds >= unit[0]) [size, name] = unit;
  return `${formatShort(nanoseconds / size)} ${name}`;
}

/** A value of a sample type, e.g. "1.40 GiB", "12.3 s", "1,234". */
function formatValue(value, unit) {
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'nanoseconds') return formatNanoseconds(value);
  if (unit === 'count') return formatCount(value);
  return `${formatCount(value)} ${unit}`;
}

/** part of whole as a percentage, e.g. "12.34%". */
function formatShare(part, whole) {
  if (!(whole > 0)) return '–';
  const percent = 100 * part / whole;
  if (percent === 0 || percent >= 99.995) return `${percent.toFixed(0)}%`;
  if (percent < 0.005) return '<0.01%';
  return `${percent.toFixed(2)}%`;
}

const LONGEST_SHOWN_NAME = 4000;

/** A name fit for showing: control characters as pictures (␀, ␊), an endless name cut. */
function displayText(name) {
  const shown = name.length > LONGEST_SHOWN_NAME
      ? `${cutText(name, LONGEST_SHOWN_NAME)}… (${formatCount(name.length)} characters)` : name;
  return shown.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\u2424';
  });
}

/** The first units of a text, never half of a surrogate pair. */
function cutText(text, length) {
  if (length <= 0) return '';
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/**
 * Splits "java.util.HashMap.put(Object)" into package "java.util.", "HashMap.put(Object)" and the
 * member alone. A name that ends in its class ("java.lang.String") has no member.
 */
function splitJavaName(name, endsInClass = false) {
  const parenthesis = name.indexOf('(');
  const head = parenthesis < 0 ? name : name.slice(0, parenthesis);
  const memberAt = endsInClass ? -1 : head.lastIndexOf('.') + 1;
  const classAt = classBegin(head, endsInClass ? head.length : memberAt - 1);
  return {
    packageName: name.slice(0, classAt),
    classAndMember: name.slice(classAt),
    member: endsInClass ? '' : name.slice(memberAt),
  };
}

/**
 * Where the class begins that ends before a position. Generated classes have numbers behind their
 * names, which belong to them: pkg.Owner$$Lambda$109+0x00007f0012a88.116405378
 */
function classBegin(head, end) {
  let begin = Math.max(end, 0);
  do {
    begin = Math.max(head.lastIndexOf('.', begin - 2), head.lastIndexOf('/', begin - 2)) + 1;
  } while (begin > 1 && /\d/.test(head[begin]));
  return begin;
}
