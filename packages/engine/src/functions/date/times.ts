import { lastSerial } from '../../base/serial-date.ts';
import { parseTime } from '../../base/parse-date.ts';
import { parseNumber } from '../../base/parse-number.ts';
import { cellErrors, type CellError } from '../../base/values.ts';
import { define, type Definition } from '../define.ts';

const secondsPerDay = 86_400;
const maxPart = 32_767;

/** Returns the seconds since midnight, rounded to a whole second. */
function secondOfDay(serial: number): number {
  if (serial < 0 || serial >= lastSerial + 1) throw cellErrors.num;
  return Math.round((serial - Math.floor(serial)) * secondsPerDay) % secondsPerDay;
}

function time(hours: number, minutes: number, seconds: number): number | CellError {
  const parts = [Math.trunc(hours), Math.trunc(minutes), Math.trunc(seconds)] as const;
  if (parts.some((part) => Math.abs(part) > maxPart)) return cellErrors.num;
  const total = parts[0] * 3600 + parts[1] * 60 + parts[2];
  return total < 0 ? cellErrors.num : (total % secondsPerDay) / secondsPerDay;
}

function timeValue(text: string): number | CellError {
  const written = text.trim();
  // TIMEVALUE reads a date without a time as midnight. It rejects plain numbers.
  const clock = parseTime(written) ?? (/[-/:\sA-Za-z]/.test(written) ? parseNumber(written) : undefined);
  return clock === undefined ? cellErrors.value : clock - Math.floor(clock);
}

export const timeFunctions: readonly Definition[] = [
  define('TIME', 'number number number', (_call, hours, minutes, seconds) => time(hours, minutes, seconds)),
  define('TIMEVALUE', 'scalar', (_call, text) => (typeof text === 'string' ? timeValue(text) : cellErrors.value)),
  define('HOUR', 'number', (_call, serial) => Math.floor(secondOfDay(serial) / 3600)),
  define('MINUTE', 'number', (_call, serial) => Math.floor(secondOfDay(serial) / 60) % 60),
  define('SECOND', 'number', (_call, serial) => secondOfDay(serial) % 60),
];
