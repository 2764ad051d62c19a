const lineFeed = 10;

/**
 * Splits JSON Lines at line feeds only. Node's readline (from 24 on) also splits at U+2028, which may occur unescaped
 * inside a JSON string.
 */
export async function* splitJsonLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const given of chunks) {
    const chunk = Buffer.from(given as Uint8Array);
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, at)]).toString();
      pieces = [];
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  }
  if (pieces.length > 0) yield Buffer.concat(pieces).toString();
}
