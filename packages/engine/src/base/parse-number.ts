import { parseDateTime, parseTime } from './parse-date.ts';

/**
 * Parses numbers as users type them: `1,234.5`, `(12)`, `$3`, `50%`, `1e3`, `1 1/2`, dates (US order), times. Returns
 * undefined for other text.
 */
export function parseNumber(raw: string): number | undefined {
  const text = raw.trim();
  if (text === '') return undefined;
  const first = text.charCodeAt(0);
  const maybe = (first >= 48 && first <= 57) || '+-.($€£¥￥%'.includes(text[0] ?? '') || (first >= 65 && first <= 122);
  if (!maybe) return undefined;
  // Text that starts with a letter can only be a date with a month name.
  const number = first >= 65 && first <= 122 ? undefined : (plainNumber(text) ?? decorated(text) ?? fraction(text));
  if (number !== undefined) return number;
  // A number or a time may have surrounding spaces, but a date may not.
  return text === raw ? parseDateTime(text) : parseTime(text);
}

const plainNumberPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function plainNumber(text: string): number | undefined {
  if (!plainNumberPattern.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const groupedNumber = /^(\d{1,3}(,\d{3,})+|\d+)(\.\d*)?(e[+-]?\d+)?$/i;

function decorated(text: string): number | undefined {
  let rest = text;
  let sign = 1;
  let percent = 0;
  let currency = false;
  let signed = false;
  if (rest.startsWith('(') && rest.endsWith(')')) {
    sign = -1;
    signed = true;
    rest = rest.slice(1, -1).trim();
  }
  for (let changed = true; changed;) {
    changed = false;
    const head = rest[0] ?? '';
    if (!signed && (head === '-' || head === '+')) {
      if (head === '-') sign = -1;
      signed = true;
      changed = true;
    } else if (!currency && '$€£¥￥'.includes(head) && head !== '') {
      currency = true;
      changed = true;
    } else if (percent === 0 && head === '%') {
      percent = 1;
      changed = true;
    }
    if (changed) rest = rest.slice(1).trimStart();
  }
  if (percent === 0 && rest.endsWith('%')) {
    percent = 1;
    rest = rest.slice(0, -1).trimEnd();
  } else if (!currency && /[€£¥￥]$/.test(rest)) {
    rest = rest.slice(0, -1).trimEnd();
  }
  if (!groupedNumber.test(rest) && !plainNumberPattern.test(rest)) return undefined;
  if (/^[+-]/.test(rest)) return undefined;
  const value = Number(rest.replaceAll(',', ''));
  if (!Number.isFinite(value)) return undefined;
  return (sign * value) / (percent ? 100 : 1);
}

function fraction(text: string): number | undefined {
  const match = /^([+-]?)(\d+)\s+(\d+)\/(\d+)$/.exec(text);
  if (!match) return undefined;
  const below = Number(match[4]);
  if (below === 0) return undefined;
  const value = Number(match[2]) + Number(match[3]) / below;
  return match[1] === '-' ? -value : value;
}
