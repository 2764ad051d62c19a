import { hanVariants } from './han-variants.ts';

/** Code point range that contains every character of `hanVariants`: CJK Extension A and the unified ideographs. */
const first = 0x3400;
const last = 0x9fff;
const folded = Uint16Array.from({ length: last - first + 1 }, (_, i) => first + i);
const variants = new Map<string, string>();
for (let at = 0; at < hanVariants.length; at += 2) {
  const simplified = hanVariants.charAt(at + 1);
  folded[hanVariants.charCodeAt(at) - first] = simplified.charCodeAt(0);
  variants.set(simplified, (variants.get(simplified) ?? '') + hanVariants.charAt(at));
}

/**
 * Maps a UTF-16 code unit of a Traditional Chinese character to its Simplified form, so that both scripts give the same
 * tokens. Other code units are returned unchanged.
 */
export function foldHanUnit(unit: number): number {
  return unit >= first && unit <= last ? folded[unit - first]! : unit;
}

/** Returns the Traditional and variant characters that fold to this Simplified character. */
export function hanVariantsOf(character: string): string {
  return variants.get(character) ?? '';
}
