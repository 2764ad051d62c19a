const maxLinkLength = 2048;

/**
 * Returns why a cell's link is invalid, or undefined if it is valid. Web and mail addresses and locations in the
 * document (`#sheet_id!A1`) are valid; schemes that could run code are not.
 */
export function validateLink(url: string): string | undefined {
  const trimmed = url.trim();
  if (trimmed.length > maxLinkLength) return `must be at most ${maxLinkLength} characters (got ${trimmed.length})`;
  if (/\p{Cc}/u.test(trimmed)) return 'must not contain control characters';
  if (/^#('(?:[^']|'')+'!?)?[^\s']*$/.test(trimmed) && trimmed !== '#') return undefined;
  if (/^mailto:[^\s@?]+@[^\s@?]+(?:\?\S*)?$/i.test(trimmed)) return undefined;
  if (/^https?:\/\//i.test(trimmed) && URL.canParse(trimmed)) return undefined;
  return `must begin with http://, https://, mailto: or # (got ${JSON.stringify(url.slice(0, 60))})`;
}
