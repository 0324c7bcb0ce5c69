// A call tree as columns. Nodes are numbers in depth-first pre-order, node 0 is the root; the
// subtree of node i is the range [i, end[i]).

class CallTree {
  /** profile: as decodePayload returns it; strings: the frame texts. */
  constructor(profile, strings) {
    this.strings = strings;
    this.level = profile.nodes.level;
    this.frame = profile.nodes.frame;
    this.self = profile.nodes.self;
    this.cutFrame = profile.cut?.frame ?? -1;
    this.count = this.level.length;
    this.measures = this.self.map(() => null);
    this.linkNodes();
    this.groupByLevel();
  }

  linkNodes() {
    this.parent = new Int32Array(this.count);
    this.end = new Int32Array(this.count);
    this.depth = 0;
    const lastAtLevel = [];
    for (let i = 0; i < this.count; ++i) {
      const level = this.level[i];
      lastAtLevel[level] = i;
      this.parent[i] = level === 0 ? -1 : lastAtLevel[level - 1];
      this.end[i] = i + 1;
      if (level >= this.depth) this.depth = level + 1;
    }
    for (let i = this.count - 1; i > 0; --i) {
      const parent = this.parent[i];
      if (this.end[parent] < this.end[i]) this.end[parent] = this.end[i];
    }
  }

  /** The nodes of level l, from left to right, are rowNodes[rowOffset[l]] to rowOffset[l + 1]. */
  groupByLevel() {
    this.rowOffset = new Int32Array(this.depth + 1);
    for (let i = 0; i < this.count; ++i) ++this.rowOffset[this.level[i] + 1];
    for (let l = 0; l < this.depth; ++l) this.rowOffset[l + 1] += this.rowOffset[l];
    const next = this.rowOffset.slice();
    this.rowNodes = new Int32Array(this.count);
    for (let i = 0; i < this.count; ++i) this.rowNodes[next[this.level[i]]++] = i;
  }

  /** The numbers of each side, of which there is one here: [{self, total}]. */
  sides(sampleType) {
    return [this.measure(sampleType)];
  }

  /**
   * {self, total, start, folded} of a sample type. Bars of siblings stand beside each other from
   * their parent's left edge; start is a bar's left edge, in the unit of the values. folded is what
   * was cut: the sum of the (other) nodes, which have nothing below them.
   */
  measure(sampleType) {
    return this.measures[sampleType] ??= this.makeMeasure(sampleType);
  }

  makeMeasure(sampleType) {
    return this.arrange(this.self[sampleType]);
  }

  totalsOf(self) {
    const total = self.slice();
    for (let i = this.count - 1; i > 0; --i) total[this.parent[i]] += total[i];
    return total;
  }

  arrange(self) {
    const total = this.totalsOf(self);
    const start = new Float64Array(this.count);
    const cursor = new Float64Array(this.count);
    let folded = 0;
    for (let i = 1; i < this.count; ++i) {
      const parent = this.parent[i];
      start[i] = cursor[parent];
      cursor[i] = start[i];
      cursor[parent] += total[i];
      if (this.frame[i] === this.cutFrame) folded += total[i];
    }
    return {self, total, start, folded};
  }

  name(node) {
    return this.strings[this.frame[node]];
  }

  contains(ancestor, node) {
    return ancestor <= node && node < this.end[ancestor];
  }

  /** Follows parents from a node, which comes first. */
  * pathUp(node) {
    for (let i = node; i >= 0; i = this.parent[i]) yield i;
  }

  /** The deepest ancestor of a node (or itself) that has something of a sample type. */
  nearestWithTotal(node, sampleType) {
    const {total} = this.measure(sampleType);
    for (const i of this.pathUp(node)) if (total[i] > 0) return i;
    return 0;
  }

  /** 32 bits over the frame texts from the root to each node: the same path has the same hash. */
  pathHashes() {
    if (this.hashes) return this.hashes;
    const frameHash = this.strings.map(hashText);
    this.hashes = new Uint32Array(this.count);
    for (let i = 1; i < this.count; ++i) {
      const mixed = Math.imul(this.hashes[this.parent[i]] ^ frameHash[this.frame[i]], 0x9e3779b1);
      this.hashes[i] = mixed ^ (mixed >>> 15);
    }
    return this.hashes;
  }
}

/** FNV-1a over UTF-16 code units. */
function hashText(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
