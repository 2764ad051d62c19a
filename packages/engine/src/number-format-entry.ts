/** Entry point for the web page, which formats numbers but does not load the calculation code. */
export { format, isDatePattern, isValidPattern } from './base/number-format.ts';
