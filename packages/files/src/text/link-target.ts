const maxTargetLength = 2_000;

/** The text of a link with where it leads behind it, so that both are found. Places in the same file say nothing. */
export function withTarget(text: string, target: string): string {
  const address = target.trim().replace(/^mailto:/i, '');
  if (address === '' || address.startsWith('#') || /^(?:data|javascript):/i.test(address)) return text;
  if (address.length > maxTargetLength || text.includes(address)) return text;
  return text.trim() === '' ? address : `${text} (${address})`;
}
