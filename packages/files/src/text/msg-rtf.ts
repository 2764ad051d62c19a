import { damaged, FormatError, mebibytes } from '../format-error.ts';

/** Initial content of the dictionary for compressed RTF, as specified in MS-OXRTFCP. */
const dictionaryStart = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans ' +
    'SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);
const dictionarySize = 4096;
const compressed = 0x75465a4c;
const uncompressed = 0x414c454d;

/**
 * Decompresses the RTF body of an Outlook mail. Throws if the stated size of a compressed body exceeds `maxBytes` or is
 * impossible.
 */
export function inflateRtf(packed: Uint8Array, maxBytes: number): Uint8Array {
  if (packed.length < 16) throw damaged('its RTF text is truncated');
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const size = view.getUint32(4, true);
  const type = view.getUint32(8, true);
  if (type === uncompressed) return packed.subarray(16, 16 + size);
  if (type !== compressed) throw damaged('its RTF text is compressed in an unknown way');
  // A two-byte reference expands to at most 17 bytes, so a size of more than nine times the compressed length is false.
  if (size > maxBytes || size > packed.length * 9)
    throw new FormatError('too_large', `The RTF text of the mail claims ${mebibytes(size)}.`);
  const out = new Uint8Array(size);
  const dictionary = new Uint8Array(dictionarySize);
  dictionary.set(dictionaryStart);
  let write = dictionaryStart.length;
  let length = 0;
  const put = (byte: number): void => {
    if (length < size) out[length++] = byte;
    dictionary[write] = byte;
    write = (write + 1) % dictionarySize;
  };
  for (let at = 16; at < packed.length && length < size;) {
    const control = packed[at++]!;
    for (let bit = 0; bit < 8 && at < packed.length && length < size; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(packed[at++]!);
        continue;
      }
      if (at + 1 >= packed.length) return out.subarray(0, length);
      const token = (packed[at]! << 8) | packed[at + 1]!;
      at += 2;
      const offset = token >> 4;
      if (offset === write) return out.subarray(0, length);
      for (let step = 0; step < (token & 15) + 2; step++) put(dictionary[(offset + step) % dictionarySize]!);
    }
  }
  return out.subarray(0, length);
}
