import { foldText } from './compare.ts';

/** Reads `?`, `*` and `~` in a pattern; matching is linear in the text for each star. */
export class Wildcard {
  private readonly items: readonly (string | 0 | 1)[];
  /** No wildcard in it: the text it stands for. */
  readonly literal: string | undefined;

  constructor(pattern: string) {
    const items: (string | 0 | 1)[] = [];
    let plain = true;
    const folded = foldText(pattern);
    for (let i = 0; i < folded.length; i++) {
      const char = folded[i] as string;
      const next = folded[i + 1];
      if (char === '~' && (next === '*' || next === '?' || next === '~')) {
        items.push(next);
        i++;
      } else if (char === '*') {
        plain = false;
        if (items[items.length - 1] !== 1) items.push(1);
      } else if (char === '?') {
        plain = false;
        items.push(0);
      } else items.push(char);
    }
    this.items = items;
    this.literal = plain ? items.join('') : undefined;
  }

  /** The whole text fits. */
  matches(text: string): boolean {
    const folded = foldText(text);
    if (this.literal !== undefined) return folded === this.literal;
    return this.end(folded, 0, true) >= 0;
  }

  /** Position of the first match at or after `from`, -1 when there is none. */
  search(text: string, from: number): number {
    const folded = foldText(text);
    if (this.literal !== undefined) return folded.indexOf(this.literal, from);
    for (let start = from; start <= folded.length; start++) if (this.end(folded, start, false) >= 0) return start;
    return -1;
  }

  private end(text: string, start: number, whole: boolean): number {
    const { items } = this;
    let at = start;
    let item = 0;
    let starItem = -1;
    let starAt = 0;
    for (;;) {
      if (item === items.length) {
        if (!whole || at === text.length) return at;
      } else {
        const want = items[item];
        if (want === 1) {
          starItem = item++;
          starAt = at;
          continue;
        }
        if (at < text.length && (want === 0 || want === text[at])) {
          item++;
          at++;
          continue;
        }
      }
      if (starItem < 0 || starAt >= text.length) return -1;
      item = starItem + 1;
      at = ++starAt;
    }
  }
}
