export function formatTimeAgo(time: number, language: string, now = Date.now()): string {
  const seconds = Math.round((time - now) / 1000);
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
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
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: zone });
  const sameYear = year.format(time) === year.format();
  return new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    timeZone: zone,
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(time);
}

export function formatDateTime(time: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(time);
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
