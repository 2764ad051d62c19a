/**
 * Removes event handler, `style` and `srcdoc` attributes from raw HTML in Markdown. The editor drops them anyway, but
 * only after the browser has parsed the HTML, which already causes Content Security Policy reports.
 */
export function stripActiveAttributes(markdown: string): string {
  return markdown.replace(tag, (whole) => whole.replace(activeAttributes, ' '));
}

const tag = /<[a-z](?:"[^"<]*"|'[^'<]*'|[^<>"'])*/gi;
const activeAttribute = String.raw`(?:on\w+|style|srcdoc)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)`;
/**
 * Matches consecutive event handler, style or srcdoc attributes. The lookbehind prevents matches that start within
 * white space, which would take quadratic time.
 */
const activeAttributes = new RegExp(String.raw`(?<![\s/])[\s/]+${activeAttribute}(?:[\s/]*${activeAttribute})*`, 'gi');
