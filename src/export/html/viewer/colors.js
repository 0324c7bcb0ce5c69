// The colour of a frame: by kind of frame, Java frames by their package.

const FrameKind = Object.freeze({
  java: 'Java, by package',
  type: 'class or array type',
  native: 'native',
  kernel: 'kernel',
  marker: 'thread or marker',
  other: '(other): cut from the tree',
});

const OTHER_NAME = '(other)';

const NATIVE_FORM = /::|!|^[^(]*\.(so|dll|dylib)\b|\.(isra|constprop|part|cold)\b/;

/** What a frame's text says about it. Names carry no type, so this is a judgement by their form. */
function frameKind(name) {
  if (name === OTHER_NAME) return FrameKind.other;
  if (name === '' || name === '?' || /^\[.*\]$/s.test(name)) return FrameKind.marker;
  if (name.endsWith('[]')) return FrameKind.type;
  if (/_\[k\]$|^(vmlinux|\[kernel[^\]]*\]|[^!]*\.ko)!/.test(name)) return FrameKind.kernel;
  if (NATIVE_FORM.test(name)) return FrameKind.native;
  const {member} = splitJavaName(name);
  const capital = /^[\p{Lu}\d]/u.test(member);
  if (member === name) return capital && !/[_(]/.test(name) ? FrameKind.type : FrameKind.native;
  return capital && !name.includes('(') ? FrameKind.type : FrameKind.java;
}

/** "java.util.concurrent." gives "java.util": the family whose hue the package takes. */
function packageFamily(packageName) {
  return packageName.replaceAll('/', '.').split('.').slice(0, 2).join('.');
}

/** Fill colours of frames for one colour scheme, computed once per frame text. */
class FrameColors {
  constructor(strings, dark) {
    this.strings = strings;
    this.dark = dark;
    this.fills = new Array(strings.length);
    this.text = dark ? '#fdf6ee' : '#26180c';
    this.rootFill = dark ? 'hsl(30 6% 30%)' : 'hsl(34 18% 84%)';
  }

  fill(frame) {
    return this.fills[frame] ??= this.fillOfName(this.strings[frame]);
  }

  fillOfName(name) {
    const kind = frameKind(name);
    if (kind === FrameKind.other) return this.tone(30, 3, 0.5);
    if (kind === FrameKind.marker) return this.tone(35, 14, 0.7);
    const {packageName, classAndMember} = splitJavaName(name, kind === FrameKind.type);
    const shade = unitHash(packageName || classAndMember);
    if (kind === FrameKind.type) return this.tone(165 + 12 * shade, 34, shade);
    if (kind === FrameKind.native) return this.tone(205 + 14 * shade, 42, shade);
    if (kind === FrameKind.kernel) return this.tone(268 + 14 * shade, 40, shade);
    const family = unitHash(packageFamily(packageName));
    return this.tone(10 + 32 * family, 64 + 16 * shade, unitHash(`${packageName}#`));
  }

  /** A colour with enough contrast to the scheme's bar text; shade is 0 to 1. */
  tone(hue, saturation, shade) {
    const lightness = this.dark ? 27 + 8 * shade : 68 + 9 * shade;
    const part = this.dark ? saturation * 0.68 : saturation;
    return `hsl(${hue.toFixed(1)} ${part.toFixed(1)}% ${lightness.toFixed(1)}%)`;
  }
}

/** The row of a legend for one colour. */
function legendItem(text, fill) {
  const item = textElement('li', text);
  const swatch = document.createElement('i');
  swatch.style.background = fill;
  item.prepend(swatch);
  return item;
}

function unitHash(text) {
  const hash = hashText(text);
  return (Math.imul(hash ^ (hash >>> 16), 0x45d9f3b) >>> 8) / 0x1000000;
}
