import { accentColors } from '@sheaf/files/xlsx/default-theme';

/** Cell properties that a table style sets. Borders are written as style:RRGGBB. */
export type TableFormat = Readonly<Record<string, string | boolean>>;

export interface TableStyleParts {
  readonly whole?: TableFormat;
  /** Border around the table. With `is_open`, it is drawn only above and below the table. */
  readonly outline?: { readonly line: string; readonly is_open?: true };
  /** Format of every other row or column, beginning with the first. */
  readonly stripe?: TableFormat;
  readonly header?: TableFormat;
  readonly totals?: TableFormat;
  /** Format of the first or last column, used if the table highlights that column. */
  readonly ends?: TableFormat;
}

const [black, white, gray, darkGray] = ['000000', 'FFFFFF', 'D9D9D9', 'A6A6A6'];

/** Tints a color: towards white for a positive share up to 1, towards black for a negative share down to -1. */
function shade(color: string, share: number): string {
  const target = share < 0 ? 0 : 255;
  const amount = Math.abs(share);
  return [0, 2, 4]
    .map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16);
      const mixed = Math.round(part + (target - part) * amount);
      return mixed.toString(16).padStart(2, '0');
    })
    .join('')
    .toUpperCase();
}

/**
 * Returns the colors of the style at index `place` of a group of seven table styles: black and grays for 0, otherwise
 * an accent color and its tints. Accent colors are those of the default theme, because documents do not store a theme.
 */
function hues(place: number): { color: string; light: string; middle: string; line: string } {
  const color = place === 0 ? black : accentColors[place - 1]!;
  return place === 0
    ? { color, light: gray, middle: darkGray, line: black }
    : { color, light: shade(color, 0.8), middle: shade(color, 0.6), line: shade(color, 0.4) };
}

const filled = (color: string): TableFormat => ({ bgColor: `FF${color}` });
const inWhite = (color: string): TableFormat => ({ ...filled(color), fontColor: `FF${white}`, bold: true });
const bold: TableFormat = { bold: true };
const boxed = (line: string): TableFormat => ({
  borderTop: line,
  borderBottom: line,
  borderLeft: line,
  borderRight: line,
});

type Family = (tints: ReturnType<typeof hues>, place: number) => TableStyleParts;

/**
 * Table styles by family name. Each function creates a group of up to seven styles that differ mainly in their colors;
 * `place` is the index of the style in its group.
 */
const families: Readonly<Record<string, readonly Family[]>> = {
  Light: [
    ({ color, light }, place) => ({
      ...(place === 0 ? {} : { whole: { fontColor: `FF${shade(color, -0.25)}` } }),
      outline: { line: `thin:${color}`, is_open: true },
      stripe: filled(light),
      header: { ...bold, borderBottom: `thin:${color}` },
      totals: { ...bold, borderTop: `thin:${color}` },
      ends: bold,
    }),
    ({ color }) => ({
      outline: { line: `thin:${color}` },
      stripe: { borderTop: `thin:${color}`, borderBottom: `thin:${color}` },
      header: inWhite(color),
      totals: { ...bold, borderTop: `double:${color}` },
      ends: bold,
    }),
    ({ color, light }) => ({
      whole: boxed(`thin:${color}`),
      stripe: filled(light),
      header: { ...bold, borderBottom: `medium:${color}` },
      totals: { ...bold, borderTop: `double:${color}` },
      ends: bold,
    }),
  ],
  Medium: [
    ({ color, light, line }) => ({
      whole: { borderTop: `thin:${line}`, borderBottom: `thin:${line}` },
      outline: { line: `thin:${line}` },
      stripe: filled(light),
      header: inWhite(color),
      totals: { ...bold, borderTop: `double:${color}` },
      ends: bold,
    }),
    ({ color, light, middle }) => ({
      whole: { ...filled(light), ...boxed(`thin:${white}`) },
      stripe: filled(middle),
      header: { ...inWhite(color), borderBottom: `thick:${white}` },
      totals: { ...inWhite(color), borderTop: `thick:${white}` },
      ends: inWhite(color),
    }),
    ({ color }) => ({
      outline: { line: `medium:${black}`, is_open: true },
      stripe: filled(gray!),
      header: { ...inWhite(color), borderBottom: `medium:${black}` },
      totals: { borderTop: `double:${black}` },
      ends: inWhite(color),
    }),
    ({ color, light, middle, line }) => ({
      whole: { ...filled(light), ...boxed(`thin:${line}`) },
      stripe: filled(middle),
      header: bold,
      totals: { ...bold, borderTop: `medium:${color}` },
      ends: bold,
    }),
  ],
  Dark: [
    ({ color }, place) => {
      const body = place === 0 ? '737373' : color;
      const deeper = place === 0 ? '404040' : shade(color, -0.25);
      return {
        whole: { ...filled(body), fontColor: `FF${white}` },
        stripe: filled(deeper),
        header: { ...inWhite(black!), borderBottom: `medium:${white}` },
        totals: { ...inWhite(place === 0 ? '262626' : shade(color, -0.5)), borderTop: `medium:${white}` },
        ends: inWhite(deeper),
      };
    },
    // Each style of this group combines two accent colors: one for the headings, and the preceding accent color for the
    // other cells. The first style is black and gray.
    (_, place) => {
      const { light, middle } = hues(place === 0 ? 0 : 2 * place - 1);
      return {
        whole: filled(light),
        stripe: filled(middle),
        header: inWhite(hues(2 * place).color),
        totals: { ...bold, borderTop: `double:${black}` },
        ends: bold,
      };
    },
  ],
};

/** Number of Excel's built-in table styles in each family, such as TableStyleLight1 to TableStyleLight21. */
const counts: Readonly<Record<string, number>> = { Light: 21, Medium: 28, Dark: 11 };

/**
 * Returns the definition of one of the 60 built-in table styles. Returns undefined if the name is missing or is that of
 * a custom style from an imported file.
 */
export function getBuiltInTableStyle(name: string | undefined): TableStyleParts | undefined {
  const [, family = '', digits = '0'] = /^TableStyle(Light|Medium|Dark)([1-9]\d?)$/.exec(name ?? '') ?? [];
  const number = Number(digits);
  if (number < 1 || number > (counts[family] ?? 0)) return undefined;
  const place = (number - 1) % 7;
  return families[family]![Math.floor((number - 1) / 7)]!(hues(place), place);
}
