/**
 * Whether Markdown that went through the editor still says all it said. Marks may be written another way (`*` or `_`,
 * spaces, numbers of a list); letters and digits may not go missing.
 */
export function losesNothing(before: string, after: string): boolean {
  return essence(before) === essence(after);
}

function essence(markdown: string): string {
  return markdown
    .replace(/^[ \t>]*\d+[.)](?=\s)/gm, '')
    .replace(/&(?:nbsp|amp|lt|gt|quot|#39|#x27);/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
