/** Text widths by font and text. Widths and line breaks are cached, because the same cells are painted repeatedly. */
const widths = new Map<string, Map<string, number>>();
const brokenLines = new Map<string, readonly string[]>();
const maxCached = 20_000;
let cachedCount = 0;

/** Clears all cached measurements. Called when a font has been loaded. */
export function forgetMeasuredTexts(): void {
  widths.clear();
  brokenLines.clear();
  cachedCount = 0;
}

/**
 * Returns the width of a text in pixels. The caller must pass the context's current font as `font`. Reading it from the
 * context would take longer than looking up the cached width.
 */
export function measureWidth(context: CanvasRenderingContext2D, font: string, text: string): number {
  let known = widths.get(font);
  if (!known) {
    known = new Map();
    widths.set(font, known);
  }
  let width = known.get(text);
  if (width === undefined) {
    width = context.measureText(text).width;
    if (++cachedCount > maxCached) {
      widths.clear();
      cachedCount = 0;
    }
    known.set(text, width);
  }
  return width;
}

/** Wraps text to a width in pixels. Lines break between words, or anywhere within overlong words and Chinese text. */
export function breakLines(
  context: CanvasRenderingContext2D,
  font: string,
  text: string,
  room: number,
): readonly string[] {
  const key = `${font}\n${Math.round(room)}\n${text}`;
  let lines = brokenLines.get(key);
  if (lines === undefined) {
    lines = text.split('\n').flatMap((line) => breakLine(context, line, room));
    if (brokenLines.size > maxCached / 10) brokenLines.clear();
    brokenLines.set(key, lines);
  }
  return lines;
}

const piece =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|\s+/gu;

function breakLine(context: CanvasRenderingContext2D, line: string, room: number): string[] {
  if (context.measureText(line).width <= room) return [line];
  const lines: string[] = [];
  let current = '';
  for (const [part] of line.matchAll(piece)) {
    if (current === '' || context.measureText(current + part).width <= room) {
      current += part;
    } else {
      lines.push(current.trimEnd());
      current = part.trimStart();
    }
    while (context.measureText(current).width > room && current.length > 1) {
      let fit = current.length - 1;
      while (fit > 1 && context.measureText(current.slice(0, fit)).width > room)
        fit = fit > 40 ? Math.ceil(fit / 2) : fit - 1;
      lines.push(current.slice(0, fit));
      current = current.slice(fit);
    }
  }
  lines.push(current);
  return lines;
}
