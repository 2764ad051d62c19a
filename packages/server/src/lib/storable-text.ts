/**
 * Names may hold anything JSON can carry; PostgreSQL stores no NUL, and neither database half a character. Such text is
 * kept in the form JSON gives it, and comes back exactly as it was sent.
 */
export function storable(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromStorable(stored: string): string {
  return stored.includes('\\') ? (JSON.parse(`"${stored}"`) as string) : stored;
}
