/** Excel's indexed color palette as RGB. */

const firstIndexed = '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF'.split(' ');
const laterIndexed = (
  '800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 ' +
  '0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 ' +
  '99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 003366 339966 ' +
  '003300 333300 993300 993366 333399 333333'
).split(' ');
export const indexedColors: readonly string[] = [...firstIndexed, ...firstIndexed, ...laterIndexed];

/**
 * Theme colors in the order of the theme indexes that cells use: light before dark. The theme part of the file lists
 * each dark color before the light one.
 */
const themeOrder = 'lt1 dk1 lt2 dk2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink'.split(' ');
const officeTheme = 'FFFFFF 000000 E7E6E6 44546A 4472C4 ED7D31 A5A5A5 FFC000 5B9BD5 70AD47 0563C1 954F72'.split(' ');

/** Colors to which a workbook refers by number: its theme colors (`colors`) and its indexed colors (`indexed`). */
export interface Theme {
  readonly colors: readonly string[];
  readonly indexed: readonly string[];
}

/**
 * Returns the numbered colors of a workbook. `byName` holds its theme colors; missing ones are those of Office. `own`
 * is the workbook's own palette, which replaces the first indexed colors.
 */
export function themeOf(byName: ReadonlyMap<string, string>, own: readonly string[]): Theme {
  return {
    colors: themeOrder.map((name, i) => byName.get(name) ?? (officeTheme[i] as string)),
    indexed: [...own, ...indexedColors.slice(own.length)],
  };
}

export function colorOf(attributes: ReadonlyMap<string, string>, theme: Theme): string | undefined {
  const rgb = attributes.get('rgb');
  const tint = Number(attributes.get('tint') ?? 0);
  if (rgb !== undefined) {
    if (!/^([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/.test(rgb)) return undefined;
    const full = rgb.length === 6 ? `FF${rgb}` : rgb;
    return full.slice(0, 2).toUpperCase() + tinted(full.slice(2), tint);
  }
  const place = attributes.get('theme');
  const base =
    place === undefined ? theme.indexed[Number(attributes.get('indexed') ?? Number.NaN)] : theme.colors[Number(place)];
  return base === undefined ? undefined : `FF${tinted(base, tint)}`;
}

/** Changes the lightness of a color by `tint` (-1 to 1) without changing hue and saturation. */
function tinted(rgb: string, tint: number): string {
  if (!(tint >= -1 && tint <= 1) || tint === 0) return rgb.toUpperCase();
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16) / 255);
  const most = Math.max(r, g, b);
  const least = Math.min(r, g, b);
  const light = (most + least) / 2;
  const spread = most - least;
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * light - 1));
  const hue =
    spread === 0
      ? 0
      : most === r
        ? ((g - b) / spread + 6) % 6
        : most === g
          ? (b - r) / spread + 2
          : (r - g) / spread + 4;
  const goal = tint < 0 ? light * (1 + tint) : light * (1 - tint) + tint;
  const chroma = (1 - Math.abs(2 * goal - 1)) * saturation;
  const second = chroma * (1 - Math.abs((hue % 2) - 1));
  const low = goal - chroma / 2;
  const parts = [
    [chroma, second, 0],
    [second, chroma, 0],
    [0, chroma, second],
    [0, second, chroma],
    [second, 0, chroma],
    [chroma, 0, second],
  ][Math.floor(hue) % 6] as number[];
  return parts
    .map((part) =>
      Math.round(Math.min(1, Math.max(0, part + low)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
    .toUpperCase();
}
