/**
 * Escapes text for storage as JSON does, and back without loss: JSON strings may hold NUL, which PostgreSQL cannot
 * store, and unpaired surrogates, which neither database can.
 */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function unescapeText(stored: string): string {
  return stored.includes('\\') ? (JSON.parse(`"${stored}"`) as string) : stored;
}
