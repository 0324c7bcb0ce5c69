// Where one has zoomed, as a browser keeps its pages: going somewhere new drops what is ahead.

class ZoomHistory {
  constructor(node = 0) {
    this.nodes = [node];
    this.position = 0;
  }

  get current() {
    return this.nodes[this.position];
  }

  get canGoBack() {
    return this.position > 0;
  }

  get canGoForward() {
    return this.position < this.nodes.length - 1;
  }

  visit(node) {
    if (node === this.current) return;
    this.nodes.length = this.position + 1;
    this.nodes.push(node);
    ++this.position;
  }

  back() {
    if (this.canGoBack) --this.position;
    return this.current;
  }

  forward() {
    if (this.canGoForward) ++this.position;
    return this.current;
  }
}
