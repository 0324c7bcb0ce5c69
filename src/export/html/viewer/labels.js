// Text inside bars: the longest form of a name that fits.

const LABEL_PADDING = 5;
const NARROWEST_LABEL = 22;

class Labels {
  /** context: the canvas context, with its font set; strings: the frame texts. */
  constructor(context, strings) {
    this.context = context;
    this.strings = strings;
    this.forms = new Array(strings.length);
    this.em = context.measureText('m').width;
  }

  /** The name in full, without its package, and the method alone: [{text, width}…]. */
  formsOf(frame) {
    if (this.forms[frame]) return this.forms[frame];
    const name = this.strings[frame];
    const texts = [name];
    const kind = frameKind(name);
    if (kind === FrameKind.java || kind === FrameKind.type) {
      const {classAndMember, member} = splitJavaName(name, kind === FrameKind.type);
      if (classAndMember !== name) texts.push(classAndMember);
      if (member !== '' && member !== classAndMember) texts.push(member);
    }
    this.forms[frame] = texts.map((text) => ({text: displayText(text), width: -1}));
    return this.forms[frame];
  }

  width(form) {
    if (form.width < 0) form.width = this.context.measureText(form.text).width;
    return form.width;
  }

  /** What to write into a bar of a width in pixels; empty where nothing legible fits. */
  fit(frame, barWidth) {
    const room = barWidth - 2 * LABEL_PADDING;
    if (barWidth < NARROWEST_LABEL) return '';
    const forms = this.formsOf(frame);
    for (const form of forms) {
      // A name that cannot fit even in narrow letters is not measured: names may be endless.
      if (form.text.length * this.em * 0.15 > room) continue;
      if (this.width(form) <= room) return form.text;
    }
    return this.shorten(forms[forms.length - 1].text, room);
  }

  shorten(text, room) {
    let length = Math.min(text.length, Math.ceil(room / (this.em * 0.3)));
    while (length > 0) {
      const candidate = `${cutText(text, length)}…`;
      const width = this.context.measureText(candidate).width;
      if (width <= room) return length < 2 ? '' : candidate;
      length = Math.min(length - 1, Math.ceil(length * room / width));
    }
    return '';
  }
}
