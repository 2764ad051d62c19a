import { fail } from '../../operation/errors.ts';

const longest = 2048;

/** Links to the web, to mail, and to places in the document (`#sheet_id!A1`); nothing that could run. */
export function checkLink(url: string): string {
  const trimmed = url.trim();
  if (trimmed.length > longest)
    throw fail('invalid_parameter', `url: must be at most ${longest} characters (got ${trimmed.length})`);
  if (/\p{Cc}/u.test(trimmed)) throw fail('invalid_parameter', 'url: must not contain control characters');
  if (/^#('(?:[^']|'')+'!?)?[^\s']*$/.test(trimmed) && trimmed !== '#') return trimmed;
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(trimmed)) return trimmed;
  if (/^https?:\/\//i.test(trimmed) && URL.canParse(trimmed)) return trimmed;
  throw fail(
    'invalid_parameter',
    `url: must begin with http://, https://, mailto: or # (got ${JSON.stringify(url.slice(0, 60))})`,
  );
}
