import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Larger pictures are kept without their text: reading one takes about a second for each two million pixels. */
export const maxOcrPixels = 40_000_000;

interface Reader {
  recognize(image: Buffer): Promise<{ data: { text: string } }>;
}

const readers = new Map<string, Promise<Reader>>();

/** The folder of a language's data, or undefined when tesseract.js or the data's package is not installed. */
export function ocrData(language: string): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('tesseract.js');
    return join(dirname(resolve(`@tesseract.js-data/${language}/package.json`)), '4.0.0_best_int');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The words in a picture. One reader for each language lives as long as the parser process. */
export async function wordsIn(picture: Uint8Array, language: string): Promise<string> {
  let reader = readers.get(language);
  if (!reader) {
    reader = start(language);
    readers.set(language, reader);
  }
  const { recognize } = await reader;
  try {
    const { data } = await recognize(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength));
    return withoutGaps(data.text).trim();
  } catch {
    // Pictures of rare kinds cannot be unpacked here; they are still pictures, only without words. The reader may be broken by it.
    readers.delete(language);
    return '';
  }
}

async function start(language: string): Promise<Reader> {
  const folder = ocrData(language);
  if (folder === undefined) throw new Error(`@tesseract.js-data/${language} is not installed`);
  const { createWorker } = await import('tesseract.js');
  const quiet = (): void => undefined;
  return createWorker(language, 1, {
    langPath: folder,
    cacheMethod: 'none',
    gzip: true,
    logger: quiet,
    errorHandler: quiet,
  });
}

/** Chinese characters come one by one, with a space after each, and words of two would not be found. */
function withoutGaps(text: string): string {
  return text.replaceAll(
    /(?<=[\p{Script=Han}\u3000-\u303f\uff00-\uffef]) (?=[\p{Script=Han}\u3000-\u303f\uff00-\uffef])/gu,
    '',
  );
}
