/**
 * Markdown whose raw HTML asks for nothing: no handlers, no styles of its own. The editor's schema drops them anyway and
 * parses in a document without scripts; taken out before, they are not even something for the browser to refuse.
 */
export function inert(markdown: string): string {
  return markdown.replace(tag, (whole) => whole.replace(asking, ' '));
}

const tag = /<[a-z](?:"[^"<]*"|'[^'<]*'|[^<>"'])*/gi;
const asked = String.raw`(?:on\w+|style|srcdoc)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)`;
/** Attributes that ask for something, one after the other. Never from the middle of white space: there they were looked for already. */
const asking = new RegExp(String.raw`(?<![\s/])[\s/]+${asked}(?:[\s/]*${asked})*`, 'gi');
