const formatters = new Map<string, unknown>();

/** Returns the formatter made by `make`, from a cache, because making one takes much longer than using it. */
function cached<Formatter>(key: string, make: () => Formatter): Formatter {
  let formatter = formatters.get(key) as Formatter | undefined;
  if (!formatter) {
    formatter = make();
    formatters.set(key, formatter);
  }
  return formatter;
}

function dateFormatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const all = { ...options, timeZone: zone };
  return cached(`${language} ${JSON.stringify(all)}`, () => new Intl.DateTimeFormat(language, all));
}

export function formatTimeAgo(time: number, language: string, now = Date.now()): string {
  const seconds = Math.round((time - now) / 1000);
  const ago = cached(
    `${language} ago`,
    () => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
  );
  const size = Math.abs(seconds);
  if (size < 45) return ago.format(0, 'second');
  if (size < 3600) return ago.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return ago.format(Math.round(seconds / 3600), 'hour');
  if (size < 86_400 * 7) return ago.format(Math.round(seconds / 86_400), 'day');
  return formatDate(time, language);
}

let zone: string | undefined;

/** Sets the time zone in which times are displayed. An empty text or undefined means the browser's time zone. */
export function setTimeZone(name: string | undefined): void {
  zone = name === '' ? undefined : name;
}

export function formatDate(time: number, language: string): string {
  const year = dateFormatter('en', { year: 'numeric' });
  const sameYear = year.format(time) === year.format();
  return dateFormatter(language, {
    month: 'short',
    day: 'numeric',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(time);
}

export function formatDateTime(time: number, language: string): string {
  return dateFormatter(language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

export function formatBytes(bytes: number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  }).format(value);
}

/**
 * Removes remaining Markdown syntax from a note's excerpt: URLs of links and images, brackets of links between notes,
 * checkboxes, horizontal rules, and the marks of quotes, lists and tables.
 */
export function plainExcerpt(excerpt: string): string {
  return excerpt
    .replace(/ ?\((?:https?:\/\/|mailto:|\/)[^\s)…]*(?:\)|…|$)/g, '')
    .replace(/\[\[([^[\]|]*)(?:\|([^[\]]*))?(?:\]\]|…|$)/g, (_whole, title: string, shown?: string) => shown ?? title)
    .replace(/(^| )(?:- )?\[[ x]\] /g, '$1')
    .replace(/(^| )---(?= |$)/g, '$1')
    .replace(/^(?:(?:>|-|\d+\.) )+/, '')
    .replace(/ \| /g, ' · ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
