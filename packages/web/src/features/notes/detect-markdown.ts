/** Matches Markdown block syntax at the start of a line. Such syntax is rare in plain text. */
const block = /^(?:#{1,6} \S|```|~~~|> \S|[-*+] \[[ xX]\] |\|?[ \t]*:?-{3,}:?[ \t]*\|)/m;
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)]) \S/gm;
const inline = /\*\*[^\s*][^*\n]*\*\*|(?<![\w!])!?\[[^\]\n]*\]\((?:https?:|mailto:|\/)[^)\s]*\)|(?<!`)`[^`\n]+`(?!`)/;

/**
 * Returns whether a pasted text is probably Markdown. One list item is not enough, because plain text often has a
 * leading dash or star.
 */
export function looksLikeMarkdown(text: string): boolean {
  return block.test(text) || inline.test(text) || (text.match(listItem)?.length ?? 0) > 1;
}

/**
 * Returns whether the HTML in the clipboard is only styled plain text, as code editors produce it, without elements
 * such as lists, links or tables.
 */
export function isStyledPlainText(html: string): boolean {
  const tags = html.matchAll(/<([a-z][\w-]*)/gi);
  return [...tags].every(([, name]) => /^(?:html|head|meta|body|pre|code|div|span|br|font)$/i.test(name!));
}
