const maxTargetLength = 2_000;

/**
 * Appends a link's target to its text, so that both are searchable. Targets inside the same file, data: and javascript:
 * targets are omitted.
 */
export function appendLinkTarget(text: string, target: string): string {
  const address = target.trim().replace(/^mailto:/i, '');
  if (address === '' || address.startsWith('#') || /^(?:data|javascript):/i.test(address)) return text;
  if (address.length > maxTargetLength || text.includes(address)) return text;
  return text.trim() === '' ? address : `${text} (${address})`;
}
