// Pointer and keyboard on the graph.

class FlameInput {
  /** app: the App, whose view and scene this steers. */
  constructor(app, tooltip) {
    this.app = app;
    this.tooltip = tooltip;
    this.canvas = app.view.canvas;
    this.canvas.addEventListener('pointermove', (event) => this.onMove(event));
    this.canvas.addEventListener('pointerleave', () => this.leave());
    this.canvas.addEventListener('click', (event) => this.onClick(event));
    app.view.scroller.addEventListener('scroll', () => this.leave());
    this.canvas.addEventListener('focus', () => this.onFocus());
    document.addEventListener('keydown', (event) => this.onKey(event));
  }

  onMove(event) {
    const node = this.app.view.nodeAt(event.offsetX, event.offsetY);
    this.app.hover(node);
    this.canvas.style.cursor = node >= 0 ? 'pointer' : 'default';
    if (node >= 0) this.tooltip.show(this.app.scene, node, event.clientX, event.clientY);
    else this.tooltip.hide();
  }

  leave() {
    this.tooltip.hide();
    if (this.app.view.hovered >= 0) this.app.hover(-1);
  }

  onClick(event) {
    const node = this.app.view.nodeAt(event.offsetX, event.offsetY);
    if (node < 0) return;
    this.leave();
    this.app.zoomTo(node);
  }

  onFocus() {
    const {scene} = this.app;
    if (scene && scene.selected < 0 && this.canvas.matches(':focus-visible')) {
      this.app.select(scene.zoom);
    }
  }

  onKey(event) {
    if (document.querySelector('dialog[open]')) return;
    const inField = event.target.matches('input, select');
    if (event.key === 'Escape' && inField) {
      if (event.target === this.app.element('query')) this.app.setQuery('', SearchMode.text);
      this.canvas.focus();
      return;
    }
    if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
    const onGraph = event.target === this.canvas;
    if ((onGraph && this.onGraphKey(event)) || this.onPageKey(event)) event.preventDefault();
  }

  /** Keys that work wherever the focus is, but for fields. */
  onPageKey(event) {
    const {app} = this;
    switch (event.key) {
      case 'Escape': app.back(); return true;
      case 'Backspace': event.shiftKey ? app.forward() : app.back(); return true;
      case '0': app.reset(); return true;
      case '/': app.element('query').select(); return true;
      case 'n': app.stepHit(1); return true;
      case 'N': app.stepHit(-1); return true;
      case 'c': app.copyName(); return true;
      case 'i': app.toggleLayout(); return true;
      case 't': app.toggleTable(); return true;
      case 'd': app.toggleColoring(); return true;
      case '?': app.element('help-dialog').showModal(); return true;
      default: return false;
    }
  }

  onGraphKey(event) {
    const {app} = this;
    const {scene} = app;
    if (!scene) return false;
    const page = 0.9 * app.view.scroller.clientHeight;
    const upward = scene.layout === Layout.flame ? 'ArrowUp' : 'ArrowDown';
    const selected = Math.max(scene.selected, 0);
    switch (event.key) {
      case 'ArrowLeft': app.select(this.neighbour(selected, -1)); return true;
      case 'ArrowRight': app.select(this.neighbour(selected, 1)); return true;
      case 'ArrowUp':
      case 'ArrowDown':
        app.select(event.key === upward
            ? this.widestChild(selected) : Math.max(scene.tree.parent[selected], 0));
        return true;
      case 'Enter':
      case ' ': app.zoomTo(selected); return true;
      case 'Home': app.reset(); return true;
      case 'PageUp': app.view.scroller.scrollBy(0, -page); return true;
      case 'PageDown': app.view.scroller.scrollBy(0, page); return true;
      default: return false;
    }
  }

  /** The next bar of the same row that is seen, or the node itself at the end of the row. */
  neighbour(node, step) {
    const {tree} = this.app.scene;
    const boxes = [];
    this.app.view.layout.visitRow(tree.level[node], (other) => boxes.push(other), () => {});
    const position = boxes.indexOf(node);
    if (position >= 0) return boxes[position + step] ?? node;
    const after = boxes.findIndex((other) => other > node);
    const from = after < 0 ? boxes.length : after;
    return boxes[step > 0 ? from : from - 1] ?? node;
  }

  widestChild(node) {
    const {tree, sampleType} = this.app.scene;
    const {total} = tree.measure(sampleType);
    let widest = node;
    for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) {
      if (total[i] > (widest === node ? 0 : total[widest])) widest = i;
    }
    return widest;
  }
}
