/** Public entry for the web page: number formatting without the calculation code. */
export { format, isDatePattern, isValidPattern } from './base/number-format.ts';
