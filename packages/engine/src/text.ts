/** The door for the page: how numbers are shown, without anything that calculates. */
export { format, isDatePattern, isValidPattern } from './base/number-format.ts';
