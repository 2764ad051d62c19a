/** A formula in TeX. `isDisplay` is false for `$x$` within a line and true for `$$x$$` on its own line. */
export interface Formula {
  readonly tex: string;
  readonly isDisplay: boolean;
}

interface MathToken extends Formula {
  readonly type: 'math' | 'mathBlock';
  readonly raw: string;
}

const display = /^\$\$((?:\\[^]|[^\\$]){1,5000})\$\$/;
/**
 * Pandoc's rule for `$x$`, which excludes prices: no space just inside the dollar signs, no digit after the closing
 * one.
 */
const inLine = /^\$(?=\S)((?:\\[^]|[^\\$]){1,5000})(?<=\S)\$(?!\d)/;
/** A `$$` block may span several lines but no blank one. List and heading markers inside it have no effect. */
const block = /^ {0,3}\$\$((?:\\[^\n]|[^\\$\n]|\\?\n(?![ \t]*\n)){1,5000})\$\$[ \t]*(?:\n+|$)/;

export function parseInlineMath(source: string): MathToken | undefined {
  const found = display.exec(source);
  if (found) return { type: 'math', raw: found[0], tex: found[1]!, isDisplay: true };
  const short = inLine.exec(source);
  return short ? { type: 'math', raw: short[0], tex: short[1]!, isDisplay: false } : undefined;
}

export function parseMathBlock(source: string): MathToken | undefined {
  const found = block.exec(source);
  return found ? { type: 'mathBlock', raw: found[0], tex: found[1]!, isDisplay: true } : undefined;
}

export const findMathStart = (source: string): number => source.indexOf('$');

export function findMathBlockStart(source: string): number {
  const at = source.search(/\n {0,3}\$\$/);
  return at < 0 ? -1 : at + 1;
}

export function formulaToMarkdown({ tex, isDisplay }: Formula): string {
  return isDisplay ? `$$${tex}$$` : `$${tex}$`;
}

/** Escapes the dollar signs that would otherwise begin a formula when the Markdown is parsed. */
export function escapeMath(markdown: string): string {
  let kept = '';
  for (let at = 0; ;) {
    const sign = markdown.indexOf('$', at);
    if (sign < 0) return kept + markdown.slice(at);
    const found = markdown[sign - 1] === '\\' ? undefined : parseInlineMath(markdown.slice(sign, sign + 6000));
    kept += `${markdown.slice(at, sign)}${found ? '\\' : ''}$`;
    at = sign + 1;
  }
}
