/**
 * Markdown whose raw HTML asks for nothing: no handlers, no styles of its own. The editor's schema drops them anyway and
 * parses in a document without scripts; taken out before, they are not even something for the browser to refuse.
 */
export function inert(markdown: string): string {
  let text = markdown;
  for (;;) {
    const next = text.replace(/(<[a-z][^<>]*?)[\s/]+(?:on\w+|style|srcdoc)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi, '$1 ');
    if (next === text) return text;
    text = next;
  }
}
