/** Combining accents of Latin, Greek and Cyrillic letters. Sort keys omit them. */
const accents = /[\u0300-\u036f\u0483-\u0487]/g;

/**
 * Returns the sort key of a title. The key is stored, and titles are ordered by comparing their keys by code point.
 * Case and accents are ignored. A run of digits is prefixed with its length, so that 9 sorts before 10.
 */
export function titleSortKey(title: string): string {
  const folded = title
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFC')
    .trim();
  return folded.replace(/[0-9]+/g, (digits) => {
    const value = digits.replace(/^0+(?=.)/, '');
    return `${String(value.length).padStart(4, '0')}${value}`;
  });
}
