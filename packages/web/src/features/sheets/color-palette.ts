/** The palette for text, fill and borders: greys, then hues, each from dark to light. */
const greys = ['000000', '434343', '666666', '999999', 'CCCCCC', 'E6E6E6', 'F3F3F3', 'FFFFFF'] as const;
const hues = ['A8322A', 'C2611F', 'A67C00', '2A6049', '1F7A8C', '2C5AA0', '5B4B9E', '8E3B76'] as const;
const mixes = [0, 0.35, 0.6, 0.82] as const;

export const paletteRows: readonly (readonly string[])[] = [
  greys,
  ...mixes.map((mix) => hues.map((hue) => lightened(hue, mix))),
];

function lightened(hex: string, towardsWhite: number): string {
  return [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    .map((part) => Math.round(part + (255 - part) * towardsWhite))
    .map((part) => part.toString(16).padStart(2, '0').toUpperCase())
    .join('');
}
