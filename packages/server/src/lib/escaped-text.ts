/**
 * Escapes text for storage as JSON does, so that `unescapeText` restores it without loss. JSON strings may contain NUL,
 * which PostgreSQL cannot store, and unpaired surrogates, which neither PostgreSQL nor SQLite can store.
 */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function unescapeText(stored: string): string {
  return stored.includes('\\') ? (JSON.parse(`"${stored}"`) as string) : stored;
}
