// Draws the flame graph. The canvas is as large as the visible part and sticks to it while the
// scroller moves a spacer of the full height; only visible rows are drawn.

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const EDGE = 6;             // pixels left free around the graph
const ZOOM_DURATION = 180;  // milliseconds

class FlameView {
  constructor(canvas, scroller, spacer) {
    this.canvas = canvas;
    this.scroller = scroller;
    this.spacer = spacer;
    this.context = canvas.getContext('2d');
    this.scene = null;
    this.hovered = -1;
    this.pendingFrame = 0;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.readScheme();
    this.fromRoot = 0;
    scroller.addEventListener('scroll', () => {
      this.fromRoot = this.distanceFromRoot();
      this.requestDraw();
    });
    new ResizeObserver(() => this.resize()).observe(scroller);
  }

  /** Colours of the current scheme, from the style sheet. */
  readScheme() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    this.scheme = {
      match: read('--match'),
      matchText: read('--match-text'),
      select: read('--select'),
    };
  }

  /**
   * scene: {tree, sampleType, zoom, layout, search, colors, selected}, or null for an empty page.
   * The layout is made anew; moving says whether the way there is shown.
   */
  show(scene, moving = false) {
    const before = this.layout;
    const flipped = this.scene?.layout !== scene?.layout;
    const sameTree = this.scene?.tree === scene?.tree
        && this.scene?.sampleType === scene?.sampleType;
    if (scene && this.scene?.tree.strings !== scene.tree.strings) {
      this.context.font = FONT;
      this.labels = new Labels(this.context, scene.tree.strings);
    }
    this.scene = scene;
    this.hovered = -1;
    if (flipped || !sameTree || !before) this.fromRoot = 0;
    this.arrange();
    this.motion = null;
    if (moving && sameTree && before && this.layout && !this.calm.matches) {
      this.motion = {low: before.low, span: before.span, since: performance.now()};
    }
    this.requestDraw();
  }

  get width() {
    return Math.max(1, this.scroller.clientWidth - 2 * EDGE);
  }

  get contentHeight() {
    const rows = this.layout ? this.layout.rows * ROW_HEIGHT : 0;
    return Math.max(rows + 2 * EDGE, this.scroller.clientHeight);
  }

  /** Top of the rows' coordinates inside the content, so that both layouts have an edge. */
  get rowsHeight() {
    return this.contentHeight - 2 * EDGE;
  }

  /** How far the view is from the root's end of the content: what stays when sizes change. */
  distanceFromRoot() {
    const {scrollTop, scrollHeight, clientHeight} = this.scroller;
    if (this.scene?.layout !== Layout.flame) return scrollTop;
    return scrollHeight - clientHeight - scrollTop;
  }

  arrange() {
    const scene = this.scene;
    this.layout = scene && new FlameLayout(
        scene.tree, scene.sampleType, scene.zoom, this.width, scene.layout);
    // The sticky canvas takes a view's height itself; the spacer is what remains.
    const hidden = Math.max(0, this.contentHeight - this.scroller.clientHeight);
    this.spacer.style.height = `${hidden}px`;
    const {fromRoot} = this;
    this.scroller.scrollTop = scene?.layout === Layout.flame ? hidden - fromRoot : fromRoot;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const width = this.scroller.clientWidth;
    const height = this.scroller.clientHeight;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.ratio = ratio;
    this.arrange();
    this.draw();
  }

  requestDraw() {
    this.pendingFrame ||= requestAnimationFrame(() => this.draw());
  }

  /** The layout at this moment: on the way to the new zoom, or there. */
  currentLayout() {
    if (!this.motion) return this.layout;
    const part = Math.min(1, (performance.now() - this.motion.since) / ZOOM_DURATION);
    if (part >= 1) {
      this.motion = null;
      return this.layout;
    }
    const eased = 1 - (1 - part) ** 3;
    const {low, span} = this.layout;
    return this.layout.through(
        this.motion.low + (low - this.motion.low) * eased,
        this.motion.span + (span - this.motion.span) * eased);
  }

  visibleRows(layout) {
    const top = this.scroller.scrollTop - EDGE;
    const bottom = top + this.scroller.clientHeight;
    const a = layout.rowAt(top, this.rowsHeight);
    const b = layout.rowAt(bottom, this.rowsHeight);
    return [Math.max(0, Math.min(a, b)), Math.min(layout.rows - 1, Math.max(a, b))];
  }

  /** Top edge of a row on the canvas. */
  rowY(layout, row) {
    return layout.rowTop(row, this.rowsHeight) + EDGE - this.scroller.scrollTop;
  }

  draw() {
    cancelAnimationFrame(this.pendingFrame);
    this.pendingFrame = 0;
    const {context, ratio} = this;
    if (!ratio) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!this.layout) return;
    const layout = this.currentLayout();
    context.font = FONT;
    context.textBaseline = 'middle';
    context.direction = 'ltr';
    const [first, last] = this.visibleRows(layout);
    for (let row = first; row <= last; ++row) this.drawRow(layout, row);
    this.outline(layout, this.hovered, 1);
    this.outline(layout, this.scene.selected, 2);
    if (this.motion) this.requestDraw();
  }

  drawRow(layout, row) {
    const y = this.rowY(layout, row);
    layout.visitRow(row, (node, x, w) => this.drawBox(node, x, y, w), (node, x, w) => {
      const found = this.scene.search.matches(this.scene.tree, node);
      this.context.globalAlpha = found ? 0.9 : 0.45;
      this.context.fillStyle = found ? this.scheme.match : this.fill(node);
      this.context.fillRect(x + EDGE, y, w, ROW_HEIGHT - 1);
      this.context.globalAlpha = 1;
    });
  }

  fill(node) {
    const {tree, colors, changeColors, sampleType} = this.scene;
    if (node === 0) return colors.rootFill;
    if (!changeColors) return colors.fill(tree.frame[node]);
    const [left, right] = tree.sides(sampleType);
    const {comparison} = tree.measure(sampleType);
    return changeColors.fill(comparison.change(left.total[node], right.total[node]));
  }

  drawBox(node, x, y, w) {
    const {context, ratio} = this;
    const {tree, search, colors, zoom} = this.scene;
    const found = search.matches(tree, node);
    const faded = (search.active && !found) || (node < zoom && tree.contains(node, zoom));
    context.globalAlpha = faded && !found ? 0.42 : 1;
    context.fillStyle = found ? this.scheme.match : this.fill(node);
    // Edges on whole device pixels keep bars sharp; a gap parts those wide enough for one.
    const left = Math.round((x + EDGE) * ratio) / ratio;
    const right = Math.round((x + w + EDGE) * ratio) / ratio;
    context.fillRect(left, y, Math.max(1 / ratio, right - left - (w > 3 ? 1 : 0)), ROW_HEIGHT - 1);
    context.globalAlpha = faded && !found ? 0.8 : 1;
    const label = this.labels.fit(tree.frame[node], w);
    if (label !== '') {
      context.fillStyle = found ? this.scheme.matchText : colors.text;
      context.fillText(label, left + LABEL_PADDING, y + ROW_HEIGHT / 2);
    }
    context.globalAlpha = 1;
  }

  outline(layout, node, thickness) {
    if (!(node > 0) || !this.scene) return;
    const {x, w} = layout.box(node);
    if (!(w > 0) || this.scene.tree.level[node] >= layout.rows) return;
    const y = this.rowY(layout, this.scene.tree.level[node]);
    this.context.strokeStyle = this.scheme.select;
    this.context.lineWidth = thickness;
    const inset = thickness / 2;
    this.context.strokeRect(
        x + EDGE + inset, y + inset, Math.max(1, w - 1 - thickness), ROW_HEIGHT - 1 - thickness);
  }

  /** The node under a point of the canvas, or -1. */
  nodeAt(x, y) {
    if (!this.layout) return -1;
    const row = this.layout.rowAt(y - EDGE + this.scroller.scrollTop, this.rowsHeight);
    return this.layout.nodeAt(row, x - EDGE);
  }

  hover(node) {
    if (node === this.hovered) return;
    this.hovered = node;
    this.requestDraw();
  }

  scrollToRow(row) {
    if (!this.layout) return;
    const top = this.layout.rowTop(row, this.rowsHeight) + EDGE;
    const {scrollTop, clientHeight} = this.scroller;
    if (top < scrollTop + ROW_HEIGHT || top + 2 * ROW_HEIGHT > scrollTop + clientHeight) {
      this.scroller.scrollTop = top - clientHeight / 2;
    }
  }

  /** The bars of a pixel or more that are on the canvas at rest: what tests measure. */
  boxes() {
    if (!this.layout) return [];
    const found = [];
    const [first, last] = this.visibleRows(this.layout);
    for (let row = first; row <= last; ++row) {
      const y = this.rowY(this.layout, row);
      this.layout.visitRow(row, (node, x, w) => {
        found.push({node, x: x + EDGE, y, w, name: this.scene.tree.name(node)});
      }, () => {});
    }
    return found;
  }
}
