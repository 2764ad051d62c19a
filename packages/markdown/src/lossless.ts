/**
 * Returns whether Markdown lost no letters or digits in a round trip through the editor. The notation may differ: `*`
 * or `_`, spaces, list numbers.
 */
export function isLossless(before: string, after: string): boolean {
  return lettersAndDigits(before) === lettersAndDigits(after);
}

function lettersAndDigits(markdown: string): string {
  return markdown
    .replace(/^[ \t>]*\d+[.)](?=\s)/gm, '')
    .replace(/&(?:nbsp|amp|lt|gt|quot|#39|#x27);/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
