// The box beside the pointer.

const TOOLTIP_DISTANCE = 14;

class Tooltip {
  constructor(element) {
    this.element = element;
    this.name = element.querySelector('bdi');
    this.numbers = element.querySelector('dl');
    this.shown = -1;
  }

  show(scene, node, x, y) {
    if (this.shown !== node) {
      this.name.textContent = displayText(scene.tree.name(node));
      fillNumbers(this.numbers, frameNumbers(scene, node));
      this.element.hidden = false;
      this.shown = node;
    }
    const {offsetWidth: width, offsetHeight: height} = this.element;
    const right = x + TOOLTIP_DISTANCE + width < innerWidth;
    const below = y + TOOLTIP_DISTANCE + height < innerHeight;
    const left = right ? x + TOOLTIP_DISTANCE : x - TOOLTIP_DISTANCE - width;
    const top = below ? y + TOOLTIP_DISTANCE : y - TOOLTIP_DISTANCE - height;
    const place = [Math.max(4, left), Math.max(4, top)].map((edge) => `${Math.round(edge)}px`);
    this.element.style.transform = `translate(${place.join(',')})`;
  }

  hide() {
    this.element.hidden = true;
    this.shown = -1;
  }
}
