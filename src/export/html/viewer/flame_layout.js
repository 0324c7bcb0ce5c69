// Where the bars are: from values to pixels. Everything is drawn through a window on the values;
// zooming into a node makes its range the window, so that its ancestors fill the width.

const Layout = Object.freeze({flame: 'flame', icicle: 'icicle'});

const ROW_HEIGHT = 20;
const SMALLEST_BOX = 1;       // pixels; narrower bars are drawn together as slivers
const SMALLEST_SLIVER = 0.25; // pixels; less is not drawn

class FlameLayout {
  constructor(tree, sampleType, zoom, width, layout) {
    this.tree = tree;
    this.measure = tree.measure(sampleType);
    this.zoom = zoom;
    this.width = width;
    this.layout = layout;
    this.low = this.measure.start[zoom];
    this.span = this.measure.total[zoom];
    this.rows = this.countRows();
  }

  /** The same layout seen through another window, on the way from one zoom to the next. */
  through(low, span) {
    const moved = Object.create(this);
    moved.low = low;
    moved.span = span;
    return moved;
  }

  /** Rows from the root to the deepest in which anything is seen; below a row without, none has. */
  countRows() {
    let seen = this.tree.level[this.zoom];
    let unseen = this.tree.depth;
    while (unseen - seen > 1) {
      const middle = (seen + unseen) >>> 1;
      if (this.showsAnything(middle)) seen = middle;
      else unseen = middle;
    }
    return seen + 1;
  }

  showsAnything(row) {
    let shown = false;
    const found = () => { shown = true; };
    this.visitRow(row, found, found);
    return shown;
  }

  rowTop(row, contentHeight) {
    if (this.layout === Layout.icicle) return row * ROW_HEIGHT;
    return contentHeight - (row + 1) * ROW_HEIGHT;
  }

  rowAt(y, contentHeight) {
    const fromRoot = this.layout === Layout.icicle ? y : contentHeight - y;
    return Math.floor(fromRoot / ROW_HEIGHT);
  }

  left(node) {
    return (this.measure.start[node] - this.low) / this.span * this.width;
  }

  right(node) {
    const end = this.measure.start[node] + this.measure.total[node];
    return (end - this.low) / this.span * this.width;
  }

  /** {x, w} of a node in pixels, clipped to the view. */
  box(node) {
    const x = Math.max(0, this.left(node));
    return {x, w: Math.min(this.width, this.right(node)) - x};
  }

  /** The first position in [from, to) of rowNodes whose bar ends right of a value, else to. */
  firstEndingAfter(from, to, value) {
    const {rowNodes} = this.tree;
    const {start, total} = this.measure;
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const node = rowNodes[middle];
      if (start[node] + total[node] > value) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * Visits a row from left to right: onBox(node, x, w) for each bar of a pixel or more, and
   * onSliver(node, x, w) for runs of narrower ones, named by the first. The steps taken depend on
   * the width in pixels, not on the number of nodes.
   */
  visitRow(row, onBox, onSliver) {
    const {rowNodes, rowOffset} = this.tree;
    if (row < 0 || row >= this.tree.depth) return;
    const {start, total} = this.measure;
    const to = rowOffset[row + 1];
    const pixel = this.span / this.width;
    const high = this.low + this.span;
    let position = this.firstEndingAfter(rowOffset[row], to, this.low);
    while (position < to && start[rowNodes[position]] < high) {
      const node = rowNodes[position];
      const {x, w} = this.box(node);
      if (w >= SMALLEST_BOX) {
        onBox(node, x, w);
        ++position;
        continue;
      }
      const sliverEnd = Math.max(start[node], this.low) + pixel;
      const next = this.firstEndingAfter(position + 1, to, sliverEnd);
      const covered = Math.min(this.width, this.right(rowNodes[next - 1])) - x;
      if (covered >= SMALLEST_SLIVER) onSliver(node, x, covered);
      position = next;
    }
  }

  /** The node drawn at a pixel of a row, or -1. */
  nodeAt(row, x) {
    const {rowNodes, rowOffset} = this.tree;
    if (row < 0 || row >= this.rows || x < 0 || x >= this.width) return -1;
    const value = this.low + x / this.width * this.span;
    const to = rowOffset[row + 1];
    const position = this.firstEndingAfter(rowOffset[row], to, value);
    if (position === to) return -1;
    const node = rowNodes[position];
    return this.measure.start[node] <= value ? node : -1;
  }
}
