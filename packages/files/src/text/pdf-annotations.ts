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
  const flush = (): void => {
    if (text.trim() !== '') texts.push(text.trim());
    text = '';
  };
  for (let at = 0; at < fnArray.length; at++) {
    const operator = fnArray[at]!;
    const args = argsArray[at];
    if (operator === operators['beginAnnotation']) inside++;
    else if (operator === operators['endAnnotation']) {
      inside--;
      flush();
    } else if (inside === 0) continue;
    else if (operator === operators['showText']) text += glyphText(args);
    else if (operator === operators['moveText'] || operator === operators['setLeadingMoveText']) {
      if (Array.isArray(args) && Number(args[1]) !== 0) flush();
    } else if (
      operator === operators['nextLine'] ||
      operator === operators['setTextMatrix'] ||
      operator === operators['endText']
    )
      flush();
  }
  return texts;
}

/**
 * Kerning, in thousandths of the font size, below which the gap between two letters counts as a space. Negative kerning
 * moves letters apart.
 */
const spaceKerning = -200;

function glyphText(args: unknown): string {
  const glyphs: unknown = Array.isArray(args) ? args[0] : undefined;
  if (!Array.isArray(glyphs)) return '';
  return glyphs
    .map((glyph: unknown) => {
      if (typeof glyph === 'number') return glyph < spaceKerning ? ' ' : '';
      const unicode: unknown = typeof glyph === 'object' && glyph !== null ? Reflect.get(glyph, 'unicode') : '';
      return typeof unicode === 'string' ? unicode : '';
    })
    .join('');
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
