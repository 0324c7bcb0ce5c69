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

/** The result of a query on all frame texts; nodes are looked up per tree and sample type. */
class Search {
  constructor(strings, query, mode) {
    this.query = query;
    this.mode = mode;
    this.error = '';
    this.matchesFrame = new Uint8Array(strings.length);
    if (query === '') return;
    try {
      const matches = compileQuery(query, mode);
      for (let i = 0; i < strings.length; ++i) this.matchesFrame[i] = matches(strings[i]) ? 1 : 0;
    } catch (fault) {
      if (!(fault instanceof SyntaxError)) throw fault;
      this.error = 'not a regular expression';
    }
  }

  get active() {
    return this.query !== '' && this.error === '';
  }

  matches(tree, node) {
    return node > 0 && this.matchesFrame[tree.frame[node]] === 1;
  }

  /** Nodes that match and have something to show, in pre-order. The root is no frame. */
  hits(tree, sampleType) {
    const {total} = tree.measure(sampleType);
    const found = [];
    for (let i = 1; i < tree.count; ++i) {
      if (total[i] > 0 && this.matchesFrame[tree.frame[i]] === 1) found.push(i);
    }
    return found;
  }

  /**
   * What the stacks through a node with at least one matching frame add up to. A matching node
   * takes its whole subtree, so matches nested in it are not counted again.
   */
  matchedTotal(tree, sampleType, within = 0) {
    const {total} = tree.measure(sampleType);
    for (const ancestor of tree.pathUp(within)) {
      if (this.matches(tree, ancestor)) return total[within];
    }
    let sum = 0;
    for (let i = within; i < tree.end[within];) {
      if (this.matches(tree, i)) {
        sum += total[i];
        i = tree.end[i];
      } else {
        ++i;
      }
    }
    return sum;
  }
}
