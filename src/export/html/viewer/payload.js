// The page's data: base64 of gzip of a u32 little-endian header length, a JSON header, and integer
// columns as unsigned LEB128 varints, each column complete before the next one begins.

const SUPPORTED_VERSION = 1;

class DamagedPage extends Error {}

/** Reads the uncompressed bytes of the payload in their order. */
class PayloadReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.position = 0;
  }

  readHeader() {
    if (this.bytes.length < 4) throw new DamagedPage('the data of this page is cut short');
    const length = new DataView(this.bytes.buffer, this.bytes.byteOffset).getUint32(0, true);
    this.position = 4 + length;
    if (this.position > this.bytes.length) throw new DamagedPage('the header is cut short');
    return JSON.parse(new TextDecoder().decode(this.bytes.subarray(4, this.position)));
  }

  /** A varint of up to 64 bits. Above 2^53 the result is the nearest double. */
  readVarint() {
    const bytes = this.bytes;
    let low = 0;   // bits 0 to 27
    let high = 0;  // bits 28 to 63, exact in a double; one addition at the end rounds once
    let scale = 1;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= bytes.length) break;
      const byte = bytes[this.position++];
      if (shift < 28) {
        low |= (byte & 127) << shift;
      } else {
        high += (byte & 127) * scale;
        scale *= 128;
      }
      if (byte < 128) return high * 268435456 + low;
    }
    throw new DamagedPage('a number in the data of this page is cut short');
  }

  readValues(count) {
    const column = new Float64Array(count);
    for (let i = 0; i < count; ++i) column[i] = this.readVarint();
    return column;
  }

  readIndexes(count, limit) {
    const column = new Int32Array(count);
    for (let i = 0; i < count; ++i) {
      const index = this.readVarint();
      if (index >= limit) throw new DamagedPage('a frame of this page has no name');
      column[i] = index;
    }
    return column;
  }

  /** Levels in pre-order: the root at 0, and never more than one level deeper at a time. */
  readLevels(count) {
    const column = new Int32Array(count);
    for (let i = 0; i < count; ++i) {
      const level = this.readVarint();
      if (i === 0 ? level !== 0 : level < 1 || level > column[i - 1] + 1) {
        throw new DamagedPage('the tree of this page is broken');
      }
      column[i] = level;
    }
    return column;
  }

  /** hasSides: columns of the left side stand before as many of the right one. */
  readProfile(profile, frameCount, hasSides) {
    const types = profile.sampleTypes;
    const read = (count) => types.map(() => this.readValues(count));
    const readSides = (count) => [read(count), hasSides ? read(count) : null];
    const level = this.readLevels(profile.nodes);
    const frame = this.readIndexes(profile.nodes, frameCount);
    const [self, rightSelf] = readSides(profile.nodes);
    const topFrame = this.readIndexes(profile.topRows, frameCount);
    const [topSelf, topRightSelf] = readSides(profile.topRows);
    const [topTotal, topRightTotal] = readSides(profile.topRows);
    return {
      ...profile,
      nodes: {level, frame, self, rightSelf},
      top: {
        frame: topFrame, self: topSelf, total: topTotal,
        right: hasSides ? {self: topRightSelf, total: topRightTotal} : null,
      },
    };
  }
}

function bytesFromBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * Returns {title, generator, strings, notes, labels, profiles}, each profile with its columns; of a
 * page with two sides also diff: {names, spans, comparison}.
 */
async function decodePayload(base64) {
  if (typeof DecompressionStream === 'undefined') {
    throw new Error('it needs a newer browser (Chrome 80, Firefox 113, Safari 16.4)');
  }
  const packed = new Blob([bytesFromBase64(base64)]).stream();
  const unpacked = packed.pipeThrough(new DecompressionStream('gzip'));
  const buffer = await new Response(unpacked).arrayBuffer();
  const reader = new PayloadReader(new Uint8Array(buffer));
  const header = reader.readHeader();
  if (header.version !== SUPPORTED_VERSION) {
    throw new DamagedPage(`data of version ${header.version} is not known here`);
  }
  const profiles = header.profiles.map(
      (profile) => reader.readProfile(profile, header.strings.length, Boolean(header.diff)));
  return {...header, profiles};
}
