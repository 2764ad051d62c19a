const maxTagLength = 100;

/** Returns a tag without leading number signs (#), surrounding spaces and trailing separators. */
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

/** Returns the key by which tags are compared. It ignores case. */
export function tagKey(tag: string): string {
  return cleanTag(tag).normalize('NFKC').toLowerCase();
}
