/** A color of its own for everybody, by the id of the person or the key of the agent: the same wherever they show. */
function hueOf(who: string): number {
  let hash = 0;
  for (const letter of who) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  // Away from the green of our own selection, and from yellow, on which nothing can be read.
  return (190 + ((hash * 47) % 191)) % 360;
}

const light = (hue: number): string => `hsl(${hue} 62% 34%)`;
const dark = (hue: number): string => `hsl(${hue} 75% 74%)`;

/** For the canvas. */
export function personColorIn(who: string, isDark: boolean): string {
  return isDark ? dark(hueOf(who)) : light(hueOf(who));
}

/** For styles; text on it is white, black in the dark. */
export function personColor(who: string): string {
  return `light-dark(${light(hueOf(who))}, ${dark(hueOf(who))})`;
}
