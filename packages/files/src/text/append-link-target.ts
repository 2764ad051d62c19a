const maxTargetLength = 2_000;

/** Appends a link's target to its text, so that both can be searched. Targets in the same file are left out. */
export function appendLinkTarget(text: string, target: string): string {
  const address = target.trim().replace(/^mailto:/i, '');
  if (address === '' || address.startsWith('#') || /^(?:data|javascript):/i.test(address)) return text;
  if (address.length > maxTargetLength || text.includes(address)) return text;
  return text.trim() === '' ? address : `${text} (${address})`;
}
