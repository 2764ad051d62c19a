import { invalid } from '../errors.ts';

/** Normalizes a color to 8 upper-case digits AARRGGBB. Six digits mean an opaque color. A leading # is removed. */
export function normalizeArgb(field: string, value: string): string {
  const digits = hex(field, value);
  return digits.length === 6 ? `FF${digits}` : digits;
}

/** Normalizes a border color to 6 upper-case digits RRGGBB. An alpha value is removed. */
export function normalizeRgb(field: string, value: string): string {
  return hex(field, value).slice(-6);
}

function hex(field: string, value: string): string {
  const digits = value.replace(/^#/, '').toUpperCase();
  if (!/^([0-9A-F]{6}|[0-9A-F]{8})$/.test(digits))
    throw invalid(`${field}: must be 6 or 8 hexadecimal digits (got ${JSON.stringify(value.slice(0, 40))})`);
  return digits;
}
