/** Maximum number of bytes read from an encryption dictionary. */
const maxDictionary = 4_096;

/**
 * Removes the encryption dictionary of a PDF in which only attached files are encrypted, so that its pages open without
 * a password. Returns other files unchanged. Works on a copy unless `mayChange` is true.
 */
export function withoutIdentityEncryption(bytes: Uint8Array, mayChange: boolean): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = '/Encrypt';
  const dictionary = encryptionDictionary(file, lastEntry(file, key));
  if (dictionary === undefined || !/\/V\s*[45]\b/.test(dictionary)) return bytes;
  // An encryption dictionary that names no filter for streams (StmF) or strings (StrF) uses the filter Identity, which
  // encrypts nothing.
  const isPlain = (filter: string): boolean =>
    (new RegExp(String.raw`/${filter}\s*/([^\s/<>[\]()]+)`).exec(dictionary)?.[1] ?? 'Identity') === 'Identity';
  if (!isPlain('StmF') || !isPlain('StrF')) return bytes;
  const plain = mayChange ? file : Buffer.from(file);
  // Remove the encryption entry by changing one letter of its key, because readers ignore unknown keys.
  for (let at = plain.indexOf(key); at !== -1; at = plain.indexOf(key, at + key.length)) plain[at + 1] = 0x58;
  return new Uint8Array(plain.buffer, plain.byteOffset, plain.length);
}

/** Returns the position of the last entry with this key; -1 if there is none. `/EncryptMetadata` is another key. */
function lastEntry(file: Buffer, key: string): number {
  let at = file.lastIndexOf(key);
  while (at > 0 && /[A-Za-z]/.test(String.fromCharCode(file[at + key.length] ?? 0))) at = file.lastIndexOf(key, at - 1);
  return at;
}

function encryptionDictionary(file: Buffer, at: number): string | undefined {
  if (at === -1) return undefined;
  const trailer = file.toString('latin1', at, at + maxDictionary);
  const reference = /^\/Encrypt\s*(\d+)\s+(\d+)\s+R/.exec(trailer);
  if (!reference) return /^\/Encrypt\s*<</.test(trailer) ? trailer : undefined;
  const head = `${reference[1]!} ${reference[2]!} obj`;
  const start = file.lastIndexOf(head);
  if (start === -1) return undefined;
  const object = file.toString('latin1', start + head.length, start + maxDictionary);
  const end = object.indexOf('endobj');
  return end === -1 ? undefined : object.slice(0, end);
}
