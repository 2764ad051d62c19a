/** Colors of the current light or dark theme, resolved to values because a canvas cannot use CSS variables. */
export interface GridTheme {
  readonly isDark: boolean;
  readonly paper: string;
  readonly panel: string;
  readonly hover: string;
  readonly line: string;
  readonly strongLine: string;
  readonly ink: string;
  readonly soft: string;
  readonly faint: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly danger: string;
  readonly warn: string;
  readonly warnSoft: string;
  readonly link: string;
  readonly family: string;
}

const names = {
  paper: '--color-raised',
  panel: '--color-panel',
  hover: '--color-hover',
  line: '--color-line',
  strongLine: '--color-strong-line',
  ink: '--color-ink',
  soft: '--color-soft',
  faint: '--color-faint',
  accent: '--color-accent',
  accentSoft: '--color-accent-soft',
  danger: '--color-danger',
  warn: '--color-warn',
  warnSoft: '--color-warn-soft',
  link: '--color-accent',
} as const;

export function readTheme(root: HTMLElement): GridTheme {
  const probe = document.createElement('span');
  probe.hidden = true;
  root.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, read(name)])) as Record<
    keyof typeof names,
    string
  >;
  const family = getComputedStyle(root).fontFamily;
  probe.remove();
  return { ...colors, family, isDark: luminance(parseRgb(colors.paper)) < 0.4 };
}

type Rgb = readonly [number, number, number];

/**
 * Parses an `rgb(...)` color as computed by the browser, or a hex color (AARRGGBB or RRGGBB) from the server. Ignores
 * the opacity.
 */
export function parseRgb(color: string): Rgb {
  const numbers = /rgba?\(([^)]+)\)/
    .exec(color)?.[1]
    ?.split(/[ ,/]+/)
    .map(Number);
  if (numbers) return [numbers[0]!, numbers[1]!, numbers[2]!];
  const hex = color.replace('#', '').slice(-6);
  return [
    Number.parseInt(hex.slice(0, 2), 16),
    Number.parseInt(hex.slice(2, 4), 16),
    Number.parseInt(hex.slice(4, 6), 16),
  ];
}

function channel(value: number): number {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

export function luminance([r, g, b]: Rgb): number {
  return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const contrastCache = new Map<string, string>();

/**
 * Returns `color` for use as a text color. Darkens or lightens it if its contrast with the background `ground` is too
 * low.
 */
export function contrastColor(color: string, ground: string): string {
  const key = `${color}/${ground}`;
  let known = contrastCache.get(key);
  if (known === undefined) {
    known = increaseContrast(parseRgb(color), luminance(parseRgb(ground)));
    if (contrastCache.size > 500) contrastCache.clear();
    contrastCache.set(key, known);
  }
  return known;
}

function increaseContrast(color: Rgb, ground: number): string {
  const towards = ground < 0.4 ? 255 : 0;
  let now = color;
  for (let step = 0; step < 12 && contrast(luminance(now), ground) < 4.5; step++)
    now = now.map((part) => part + (towards - part) * 0.2) as unknown as Rgb;
  return rgbToCss(now);
}

export function rgbToCss([r, g, b]: Rgb): string {
  return `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)})`;
}

export function withAlpha(color: string, alpha: number): string {
  const [r, g, b] = parseRgb(color);
  return `rgb(${r} ${g} ${b} / ${alpha})`;
}
