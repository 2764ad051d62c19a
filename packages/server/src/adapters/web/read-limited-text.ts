/** Reads a response body as text. Returns undefined if it is longer than `maxLength` bytes. */
export async function readLimitedText(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxLength: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxLength) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
