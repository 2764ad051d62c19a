/** Derives a hue from a user id or an agent's API key id, so that the color is the same in every browser. */
function hueOf(who: string): number {
  let hash = 0;
  for (const letter of who) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  // The hues exclude green, which is the color of the user's own selection, and yellow, on which text is unreadable.
  return (190 + ((hash * 47) % 191)) % 360;
}

const light = (hue: number): string => `hsl(${hue} 62% 34%)`;
const dark = (hue: number): string => `hsl(${hue} 75% 74%)`;

/** Returns the color of a user or agent for painting on the canvas. */
export function userColorFor(who: string, isDark: boolean): string {
  return isDark ? dark(hueOf(who)) : light(hueOf(who));
}

/** Returns the CSS color of a user or agent. Text on it is white in the light theme and black in the dark theme. */
export function userColor(who: string): string {
  return `light-dark(${light(hueOf(who))}, ${dark(hueOf(who))})`;
}
