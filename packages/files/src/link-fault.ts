const longest = 2048;

/**
 * What is wrong with a cell's link, if anything. Links lead to the web, to mail, and to places in the document
 * (`#sheet_id!A1`); nothing that could run.
 */
export function linkFault(url: string): string | undefined {
  const trimmed = url.trim();
  if (trimmed.length > longest) return `must be at most ${longest} characters (got ${trimmed.length})`;
  if (/\p{Cc}/u.test(trimmed)) return 'must not contain control characters';
  if (/^#('(?:[^']|'')+'!?)?[^\s']*$/.test(trimmed) && trimmed !== '#') return undefined;
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(trimmed)) return undefined;
  if (/^https?:\/\//i.test(trimmed) && URL.canParse(trimmed)) return undefined;
  return `must begin with http://, https://, mailto: or # (got ${JSON.stringify(url.slice(0, 60))})`;
}
