// The start, and what tests may hold on to.

/**
 * window.jfrtree is for tests and for the console:
 *   ready            true once the first picture is drawn
 *   state            {kind, type, query, mode, zoom (node), selected (node), layout, table}
 *   nodes            number of nodes of the tree shown
 *   boxes            bars of a pixel or more on the canvas now: [{node, x, y, w, name}…], in CSS
 *                    pixels from the canvas's corner; w is exact, drawn on whole device pixels
 *   width            pixels the root has
 *   contentHeight    pixels all rows have, to scroll through
 *   search(query, mode)  mode: 'text' (default), 'regex' or 'whole'; returns {share, atMost, nodes,
 *                    error}; share is the lower bound, atMost the upper one
 *   zoomTo(node)     zooms into a node of the tree shown
 *   diff             of a page with two sides {comparing, coloring}, else null
 *   fillOf(node)     the colour of a bar
 */
function exposeForTests(app) {
  window.jfrtree = {
    ready: true,
    get state() {
      const {profile, sampleType, search, state, scene} = app;
      return {
        kind: profile?.kind ?? '',
        type: profile ? sampleType.name : '',
        query: search.query,
        mode: search.mode,
        zoom: scene?.zoom ?? 0,
        selected: state.selected,
        layout: state.layout,
        table: state.table,
      };
    },
    get nodes() { return app.scene?.tree.count ?? 0; },
    get boxes() { return app.view.boxes(); },
    get width() { return app.view.width; },
    get contentHeight() { return app.view.contentHeight; },
    search(query, mode = SearchMode.text) {
      app.setQuery(query, mode);
      const {scene, hits} = app;
      const {error} = app.search;
      if (!scene || !app.search.active) return {share: 0, atMost: 0, nodes: 0, error};
      const {tree, sampleType} = scene;
      const [whole] = tree.sides(sampleType)[0].total;
      const {low, high} = app.search.matchedTotal(tree, sampleType, app.profile.top);
      return {share: low / whole, atMost: high / whole, nodes: hits.length, error};
    },
    zoomTo(node) { app.zoomTo(node); },
    get diff() {
      return app.data.diff ? {comparing: app.comparing, coloring: app.state.coloring} : null;
    },
    fillOf(node) { return app.view.fill(node); },
  };
}

async function main() {
  const message = document.getElementById('message');
  try {
    const data = await decodePayload(document.getElementById('jfrtree-data').textContent);
    const app = new App(data);
    requestAnimationFrame(() => exposeForTests(app));
  } catch (fault) {
    message.hidden = false;
    message.textContent = `This page cannot be shown: ${fault.message}`;
    console.error(fault);
  }
}
