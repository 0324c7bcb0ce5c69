// Search: which frames match, in which nodes, and the share of the profile their stacks have.

const SearchMode = Object.freeze({text: 'text', regex: 'regex', whole: 'whole'});

/** A test of one name. Text and regular expressions ignore case; throws on a wrong expression. */
function compileQuery(query, mode) {
  if (mode === SearchMode.whole) return (name) => name === query;
  if (mode === SearchMode.regex) {
    const expression = new RegExp(query, 'i');
    return (name) => expression.test(name);
  }
  const wanted = query.toLowerCase();
  return (name) => name.toLowerCase().includes(wanted);
}

/**
 * The result of a query on all frame texts; nodes are looked up per tree and sample type.
 *
 * A cut tree holds a part of the stacks: what its (other) nodes hide is known only through the
 * table of methods, which has all stacks. So shares are bounds, {low, high}, and often equal.
 */
class Search {
  /** data: the page's, as decodePayload returns it. */
  constructor(data, query, mode) {
    const {strings} = data;
    this.query = query;
    this.mode = mode;
    this.error = '';
    this.matchesFrame = new Uint8Array(strings.length);
    this.latest = null;
    if (query === '') return;
    try {
      const matches = compileQuery(query, mode);
      for (let i = 0; i < strings.length; ++i) this.matchesFrame[i] = matches(strings[i]) ? 1 : 0;
      this.matchCutNodes(data);
    } catch (fault) {
      if (!(fault instanceof SyntaxError)) throw fault;
      this.error = 'not a regular expression';
    }
  }

  /**
   * (other) nodes are no frames, a query such as "the" does not mean them. They are found by their
   * whole name, unless there is a frame of that name, which is meant then.
   */
  matchCutNodes({strings, profiles}) {
    const cutFrames = new Set(profiles.flatMap(({cut}) => cut ? [cut.frame] : []));
    if (cutFrames.size === 0) return;
    const isMeant = this.mode !== SearchMode.regex && this.query.toLowerCase() === OTHER_NAME
        && !strings.some((text, frame) => text === OTHER_NAME && !cutFrames.has(frame));
    for (const frame of cutFrames) if (!isMeant) this.matchesFrame[frame] = 0;
  }

  get active() {
    return this.query !== '' && this.error === '';
  }

  matches(tree, node) {
    return node > 0 && this.matchesFrame[tree.frame[node]] === 1;
  }

  /** Nodes that match and have something to show, in pre-order. The root is no frame. */
  hits(tree, sampleType) {
    return this.lookUp(tree, sampleType).hits;
  }

  /** What was last asked for is kept: moving about in a tree asks for the same again. */
  lookUp(tree, sampleType) {
    if (this.latest?.tree !== tree || this.latest.sampleType !== sampleType) {
      const sums = tree.sides(sampleType).map(({total}) => this.sumWithin(tree, total, 0));
      this.latest = {tree, sampleType, hits: this.findHits(tree, sampleType), sums};
    }
    return this.latest;
  }

  findHits(tree, sampleType) {
    const {total} = tree.measure(sampleType);
    const found = [];
    for (let i = 1; i < tree.count; ++i) {
      if (total[i] > 0 && this.matchesFrame[tree.frame[i]] === 1) found.push(i);
    }
    return found;
  }

  /**
   * Below a node, of the totals of a side: `matched` is what the stacks through a matching frame add up to. A matching node
   * takes its whole subtree, so matches nested in it are not counted again. `hidden` is what lies
   * in (other) nodes outside of those, of which nobody knows whether it matches.
   */
  sumWithin(tree, total, within) {
    for (const ancestor of tree.pathUp(within)) {
      if (this.matches(tree, ancestor)) return {matched: total[within], hidden: 0};
    }
    let matched = 0;
    let hidden = 0;
    for (let i = within; i < tree.end[within];) {
      if (this.matches(tree, i)) {
        matched += total[i];
        i = tree.end[i];
      } else {
        if (tree.frame[i] === tree.cutFrame) hidden += total[i];
        ++i;
      }
    }
    return {matched, hidden};
  }

  /**
   * {low, high}: bounds on what the matching stacks of a profile add up to on a side (0: left, or
   * the only one); top: its methods.
   */
  matchedTotal(tree, sampleType, top, side = 0) {
    const {matched, hidden} = this.lookUp(tree, sampleType).sums[side];
    if (hidden === 0) return {low: matched, high: matched};
    // A method's total is that of all stacks with it, each counted once.
    const totals = (side === 0 ? top : top.right).total[sampleType];
    let largest = 0;
    let sum = 0;
    for (let i = 0; i < top.frame.length; ++i) {
      if (this.matchesFrame[top.frame[i]] !== 1) continue;
      largest = Math.max(largest, totals[i]);
      sum += totals[i];
    }
    const low = Math.max(matched, largest);
    return {low, high: Math.max(low, Math.min(matched + hidden, sum))};
  }

  /** The same for the stacks through a node, of which the table of methods knows nothing. */
  matchedWithin(tree, total, node) {
    const {matched, hidden} = this.sumWithin(tree, total, node);
    return {low: matched, high: matched + hidden};
  }
}
