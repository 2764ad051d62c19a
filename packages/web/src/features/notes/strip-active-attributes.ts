/**
 * Removes event handlers and style attributes from raw HTML in Markdown. The editor's schema drops them anyway and
 * parses in a document without scripts; removing them first avoids Content Security Policy reports.
 */
export function stripActiveAttributes(markdown: string): string {
  return markdown.replace(tag, (whole) => whole.replace(activeAttributes, ' '));
}

const tag = /<[a-z](?:"[^"<]*"|'[^'<]*'|[^<>"'])*/gi;
const activeAttribute = String.raw`(?:on\w+|style|srcdoc)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)`;
/**
 * A run of such attributes. The lookbehind prevents a match that starts within white space, which would make matching
 * quadratic.
 */
const activeAttributes = new RegExp(String.raw`(?<![\s/])[\s/]+${activeAttribute}(?:[\s/]*${activeAttribute})*`, 'gi');
