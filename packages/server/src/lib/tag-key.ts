const maxTagLength = 100;

/**
 * Returns the form in which a tag is stored: without leading number signs (#), trailing separators and surrounding
 * spaces, and cut to the maximum length. White space inside the tag becomes a single space.
 */
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

/** Returns the key by which tags are compared. It ignores case and variants such as full-width letters. */
export function tagKey(tag: string): string {
  return cleanTag(tag).normalize('NFKC').toLowerCase();
}
