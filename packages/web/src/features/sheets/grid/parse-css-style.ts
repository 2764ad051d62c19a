/** Format of a pasted cell. The field names are those of the server's `set_cell_style` operation. */
export interface CellFormat {
  bold?: boolean;
  italic?: boolean;
  underline?: 'single' | 'double';
  strike_through?: boolean;
  font_color?: string;
  bg_color?: string;
  font_size?: number;
  font_family?: string;
  horizontal_align?: 'left' | 'center' | 'right';
  vertical_align?: 'top' | 'center';
  wrap_text?: boolean;
  number_format_pattern?: string;
}

export type BorderSide = 'top' | 'bottom' | 'left' | 'right';

export interface BorderLine {
  /**
   * Border style as a number of the server's `set_border` operation: 1 thin, 2 medium, 3 dashed, 4 dotted, 5 thick, 6
   * double, 7 hairline.
   */
  readonly style: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  readonly color: string;
}

export interface PastedStyle {
  readonly format: CellFormat;
  readonly lines: Partial<Record<BorderSide, BorderLine>>;
}

export type Declarations = ReadonlyMap<string, string>;

/** Parses CSS declarations such as `a: b; c: d`. Semicolons inside quotes belong to the value. */
export function parseDeclarations(css: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, value] of css.matchAll(/([\w-]+)\s*:\s*((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^;"'])*)/g))
    found.set(name!.toLowerCase(), value!.trim());
  return found;
}

/**
 * Returns the rules of a style sheet by selector. Selectors are not fully parsed: of several words separated by spaces,
 * only the last class or element name is used.
 */
export function parseRules(css: string): Map<string, Declarations> {
  const rules = new Map<string, Declarations>();
  for (const [, selector, body] of css.replaceAll(/<!--|-->/g, ' ').matchAll(/(?<=^|[}\s])(\.?[\w-]+)\s*\{([^{}]*)\}/g))
    rules.set(selector!.toLowerCase(), parseDeclarations(body!));
  return rules;
}

const namedFormats: Readonly<Record<string, string>> = {
  percent: '0.00%',
  fixed: '0.00',
  standard: '#,##0.00',
  scientific: '0.00E+00',
  currency: '$#,##0.00',
  'short date': 'yyyy/m/d',
  'medium date': 'd-mmm-yy',
  'long date': 'yyyy-mm-dd',
  'short time': 'h:mm',
  'long time': 'h:mm:ss',
};

/**
 * Parses a number format as Excel writes it in CSS: either a name, or a quoted and escaped pattern like
 * `"\#\,\#\#0\.00"`.
 */
function numberFormatOf(written: string): string | undefined {
  const named = namedFormats[written.toLowerCase().replaceAll('"', '')];
  if (named) return named;
  const pattern = /^"(.*)"$/s
    .exec(written)?.[1]
    ?.replaceAll(/\\0022/g, '"')
    .replaceAll(/\\(.)/g, '$1');
  return pattern === undefined || pattern === '' || /^general$/i.test(pattern) || pattern.length > 255
    ? undefined
    : pattern;
}

/**
 * Colors as RRGGBB, by the names that other programs use in pasted HTML. An empty string means the default text color.
 */
const names: Readonly<Record<string, string>> = {
  windowtext: '',
  black: '',
  white: 'FFFFFF',
  red: 'FF0000',
  lime: '00FF00',
  green: '008000',
  blue: '0000FF',
  navy: '000080',
  yellow: 'FFFF00',
  olive: '808000',
  aqua: '00FFFF',
  teal: '008080',
  fuchsia: 'FF00FF',
  purple: '800080',
  maroon: '800000',
  gray: '808080',
  silver: 'C0C0C0',
  orange: 'FFA500',
};

/**
 * Parses a CSS color to RRGGBB. Returns undefined for a transparent or unknown color, and for names of the default text
 * color.
 */
export function parseColor(value: string | undefined): string | undefined {
  const [color = ''] = /#[0-9a-f]{3,8}|rgba?\([^)]*\)|[a-z]+/i.exec(value ?? '') ?? [];
  const plain = color.toLowerCase();
  if (plain === '' || plain === 'none' || plain === 'auto' || plain === 'transparent' || plain === 'inherit')
    return undefined;
  if (plain in names) return names[plain] || undefined;
  const parts = /^rgba?\(([^)]*)\)$/
    .exec(plain)?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  if (parts)
    return parts[3] === 0
      ? undefined
      : parts
          .slice(0, 3)
          .map((part) => hex(part))
          .join('');
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(plain);
  if (short) return `${short[1]!}${short[1]!}${short[2]!}${short[2]!}${short[3]!}${short[3]!}`.toUpperCase();
  return /^#[0-9a-f]{6}/.test(plain) ? plain.slice(1, 7).toUpperCase() : undefined;
}

function hex(part: number): string {
  return Math.max(0, Math.min(255, Math.round(part) || 0))
    .toString(16)
    .padStart(2, '0')
    .toUpperCase();
}

function pointsOf(value: string | undefined): number | undefined {
  const [, number, unit] = /^([\d.]+)(pt|px)/.exec(value ?? '') ?? [];
  if (number === undefined) return undefined;
  const points = Math.round(Number(number) * (unit === 'px' ? 0.75 : 1));
  return points >= 1 && points <= 409 ? points : undefined;
}

const across: Readonly<Record<string, 'left' | 'center' | 'right'>> = {
  left: 'left',
  start: 'left',
  center: 'center',
  right: 'right',
  end: 'right',
};

const borderStyles: Readonly<Record<string, BorderLine['style']>> = { dashed: 3, dotted: 4, double: 6, hairline: 7 };

function lineOf(value: string | undefined): BorderLine | undefined {
  if (value === undefined || !/\b(solid|dashed|dotted|double|hairline)\b/.test(value)) return undefined;
  const width = Number(/([\d.]+)(?:pt|px)/.exec(value)?.[1] ?? 1);
  const kind = /\b(dashed|dotted|double|hairline)\b/.exec(value)?.[1];
  const style = borderStyles[kind ?? ''] ?? (width >= 2 ? 5 : width > 1 ? 2 : 1);
  const color = parseColor(value.replaceAll(/\b(?:solid|dashed|dotted|double|hairline|[\d.]+(?:pt|px))\b/g, ''));
  return { style, color: color ?? '000000' };
}

/** Converts CSS declarations to a cell style. Default values are omitted. */
export function styleFromCss(given: Declarations): PastedStyle {
  const format: CellFormat = {};
  const weight = given.get('font-weight');
  if (weight !== undefined && (weight.startsWith('bold') || Number(weight) >= 600)) format.bold = true;
  if (/italic|oblique/.test(given.get('font-style') ?? '')) format.italic = true;
  const decoration = `${given.get('text-decoration') ?? ''} ${given.get('text-decoration-line') ?? ''}`;
  if (decoration.includes('underline'))
    format.underline = /double/.test(given.get('text-underline-style') ?? '') ? 'double' : 'single';
  if (decoration.includes('line-through')) format.strike_through = true;
  const color = parseColor(given.get('color'));
  if (color !== undefined && color !== '000000') format.font_color = color;
  const ground = parseColor(given.get('background-color') ?? given.get('background'));
  if (ground !== undefined && ground !== 'FFFFFF') format.bg_color = ground;
  const align = across[given.get('text-align') ?? ''];
  if (align) format.horizontal_align = align;
  const vertical = given.get('vertical-align');
  if (vertical === 'top') format.vertical_align = 'top';
  if (vertical === 'middle') format.vertical_align = 'center';
  const points = pointsOf(given.get('font-size'));
  if (points !== undefined) format.font_size = points;
  const family = given
    .get('font-family')
    ?.split(',')[0]
    ?.trim()
    .replaceAll(/^["']|["']$/g, '');
  if (family && family.length <= 100 && !/^(?:sans-serif|serif|monospace|inherit|docs-)/.test(family))
    format.font_family = family;
  if (/^(?:normal|pre-wrap)/.test(given.get('white-space') ?? '')) format.wrap_text = true;
  const numbers = numberFormatOf(given.get('mso-number-format') ?? '');
  if (numbers !== undefined) format.number_format_pattern = numbers;
  const lines: Partial<Record<BorderSide, BorderLine>> = {};
  for (const side of ['top', 'bottom', 'left', 'right'] as const) {
    const line = lineOf(given.get(`border-${side}`) ?? given.get('border'));
    if (line) lines[side] = line;
  }
  return { format, lines };
}
