/**
 * Escapes text for storage as JSON does; `unescapeText` restores it without loss. Needed because JSON strings may
 * contain NUL, which PostgreSQL cannot store, and unpaired surrogates, which neither database can.
 */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function unescapeText(stored: string): string {
  return stored.includes('\\') ? (JSON.parse(`"${stored}"`) as string) : stored;
}
