/** Accents of Latin, Greek and Cyrillic. */
const accents = /[\u0300-\u036f\u0483-\u0487]/g;

/**
 * The stored key by which titles sort, compared by code point on every machine: folded text, numbers by value. A run of
 * digits is written as its length and then itself, so that 9 comes before 10.
 */
export function titleKey(title: string): string {
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
