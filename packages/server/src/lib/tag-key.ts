const maxTagLength = 100;

/** Returns a tag without the sign before it, surrounding spaces and trailing separators. */
export function cleanTag(tag: string): string {
  return tag
    .normalize('NFC')
    .trim()
    .replace(/^#+/, '')
    .replace(/[/-]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxTagLength);
}

/** Returns the key by which tags are compared: without case. */
export function tagKey(tag: string): string {
  return cleanTag(tag).normalize('NFKC').toLowerCase();
}
