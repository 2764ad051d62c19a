/** Returns whether the text ends inside a string literal, that is, after an odd number of quotes. */
export function isInStringLiteral(text: string): boolean {
  let quotes = 0;
  for (const sign of text) if (sign === '"') quotes++;
  return quotes % 2 === 1;
}

/**
 * Returns the innermost function whose parenthesis is still open at the end of `before`, and the zero-based index of
 * the argument at that position.
 */
export function enclosingFunction(before: string): { name: string; argument: number } | undefined {
  const open: { name: string; argument: number }[] = [];
  let quoted = false;
  let name = '';
  for (const sign of before) {
    if (sign === '"') quoted = !quoted;
    if (quoted) continue;
    if (/[\p{L}\p{N}_.]/u.test(sign)) {
      name += sign;
      continue;
    }
    if (sign === '(') open.push({ name: name.toUpperCase(), argument: 0 });
    else if (sign === ')') open.pop();
    else if (sign === ',' && open.length > 0) open.at(-1)!.argument++;
    name = '';
  }
  const inner = open.findLast((one) => one.name !== '');
  return inner;
}
