/** Combining accents of Latin, Greek and Cyrillic letters. */
const accents = /[\u0300-\u036f\u0483-\u0487]/g;

/**
 * Sort key of a title, stored and compared by code point: case and accents are folded, numbers sort by value. A run of
 * digits is prefixed with its length, so that 9 sorts before 10.
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
