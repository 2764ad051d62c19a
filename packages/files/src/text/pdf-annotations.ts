/**
 * Drawing operators of a page as pdf.js lists them: the codes of the operators and, at the same indexes, their
 * arguments.
 */
export interface OperatorList {
  fnArray: ArrayLike<number>;
  argsArray: ArrayLike<unknown>;
}

export type Operators = Readonly<Record<string, number>>;

/** Annotation types that never display text. */
const textless = new Set(['Link', 'Popup']);

/** Returns whether a page has annotations that may display text. */
export function hasShownAnnotations(annotations: readonly object[]): boolean {
  return annotations.some((annotation) => !textless.has(String(Reflect.get(annotation, 'subtype'))));
}

/**
 * Returns the texts that the annotations of a page display: form values and captions, list items, free text, stamps,
 * signatures. The page's own text does not include them.
 */
export function shownTexts({ fnArray, argsArray }: OperatorList, operators: Operators): string[] {
  const texts: string[] = [];
  let inside = 0;
  let text = '';
  let fontSize = 0;
  // `run` is the text shown since the text position was last moved, and `moved` is how far it was moved from the start
  // of `run`.
  let run = { text: '', width: 0 };
  let moved = 0;
  const flush = (): void => {
    if (text.trim() !== '') texts.push(text.trim());
    text = '';
    run = { text: '', width: 0 };
    moved = 0;
  };
  const show = (shown: { text: string; width: number }): void => {
    if (moved === 0) run = { text: run.text + shown.text, width: run.width + shown.width };
    else {
      const isGap = moved - run.width * fontSize > wordGap * fontSize;
      // A form field with one cell per letter shows its letters one by one. The gaps between single letters are not
      // spaces.
      if (isGap && run.text.length + shown.text.length > 2 && !/\s$/.test(text) && !/^\s/.test(shown.text)) text += ' ';
      run = shown;
      moved = 0;
    }
    text += shown.text;
  };
  for (let at = 0; at < fnArray.length; at++) {
    const operator = fnArray[at]!;
    const args = argsArray[at];
    if (operator === operators['beginAnnotation']) inside++;
    else if (operator === operators['endAnnotation']) {
      inside--;
      flush();
    } else if (inside === 0) continue;
    else if (operator === operators['setFont']) fontSize = Array.isArray(args) ? Math.abs(Number(args[1])) : 0;
    else if (operator === operators['showText']) show(glyphText(args));
    else if (operator === operators['moveText'] || operator === operators['setLeadingMoveText']) {
      if (!Array.isArray(args)) continue;
      if (Number(args[1]) === 0) moved += Number(args[0]);
      else flush();
    } else if (
      operator === operators['nextLine'] ||
      operator === operators['setTextMatrix'] ||
      operator === operators['endText']
    )
      flush();
  }
  return texts;
}

/** Gap between two letters, in font sizes, above which it counts as a space. */
const wordGap = 0.2;

/** Returns the text of glyphs and its width in font sizes. Kerning is in thousandths of the font size. */
function glyphText(args: unknown): { text: string; width: number } {
  const glyphs: unknown = Array.isArray(args) ? args[0] : undefined;
  const shown = { text: '', width: 0 };
  if (!Array.isArray(glyphs)) return shown;
  for (const glyph of glyphs as unknown[]) {
    if (typeof glyph === 'number') {
      // Negative kerning moves letters apart.
      if (glyph < -1_000 * wordGap) shown.text += ' ';
      shown.width -= glyph / 1_000;
    } else if (typeof glyph === 'object' && glyph !== null) {
      const unicode: unknown = Reflect.get(glyph, 'unicode');
      const width: unknown = Reflect.get(glyph, 'width');
      if (typeof unicode === 'string') shown.text += unicode;
      if (typeof width === 'number') shown.width += width / 1_000;
    }
  }
  return shown;
}

/**
 * Returns the texts in the data of a page's annotations: form values, list items and comments. They are needed because
 * an annotation may have no appearance stream from which its text can be read.
 */
export function storedTexts(annotations: readonly object[]): string[] {
  return annotations.flatMap((annotation) => {
    const subtype: unknown = Reflect.get(annotation, 'subtype');
    if (textless.has(String(subtype)) || Reflect.get(annotation, 'hidden') === true) return [];
    const own = subtype === 'Widget' ? fieldTexts(annotation) : [contents(annotation)];
    const texts = [...own, ...lines(annotation)];
    return texts.filter((text) => text.trim() !== '');
  });
}

function contents(annotation: object): string {
  const value: unknown = Reflect.get(annotation, 'contentsObj');
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'str') : '';
  return typeof text === 'string' ? text : '';
}

function lines(annotation: object): string[] {
  const value: unknown = Reflect.get(annotation, 'textContent');
  return Array.isArray(value) ? value.filter((line): line is string => typeof line === 'string') : [];
}

const maxOptions = 500;

function fieldTexts(annotation: object): string[] {
  const type = String(Reflect.get(annotation, 'fieldType'));
  if (type !== 'Tx' && type !== 'Ch') return [];
  const value: unknown = Reflect.get(annotation, 'fieldValue');
  const values = (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
  if (type === 'Tx') return values;
  const options: unknown = Reflect.get(annotation, 'options');
  const all = (Array.isArray(options) ? options.slice(0, maxOptions) : []).flatMap((option: unknown) => {
    if (typeof option !== 'object' || option === null) return [];
    const shown: unknown = Reflect.get(option, 'displayValue');
    return typeof shown === 'string' ? [{ shown, stored: Reflect.get(option, 'exportValue') as unknown }] : [];
  });
  const chosen = values.map((one) => all.find(({ stored }) => stored === one)?.shown ?? one);
  // A combo box displays only the chosen item, a list box displays all items.
  return Reflect.get(annotation, 'combo') === true ? chosen : [...chosen, ...all.map(({ shown }) => shown)];
}
