/** Marks at the start of a line that a person writing plain text hardly ever begins one with. */
const block = /^(?:#{1,6} \S|```|~~~|> \S|[-*+] \[[ xX]\] |\|?[ \t]*:?-{3,}:?[ \t]*\|)/m;
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)]) \S/gm;
const inline = /\*\*[^\s*][^*\n]*\*\*|(?<![\w!])!?\[[^\]\n]*\]\((?:https?:|mailto:|\/)[^)\s]*\)|(?<!`)`[^`\n]+`(?!`)/;

/** Whether a text was written as Markdown. A dash or a star alone is no sign of it. */
export function looksLikeMarkdown(text: string): boolean {
  return block.test(text) || inline.test(text) || (text.match(listItem)?.length ?? 0) > 1;
}

/** Whether the HTML beside a text only colors its letters, as code editors and pages of plain text do. */
export function isOnlySource(html: string): boolean {
  const tags = html.matchAll(/<([a-z][\w-]*)/gi);
  return [...tags].every(([, name]) => /^(?:html|head|meta|body|pre|code|div|span|br|font)$/i.test(name!));
}
