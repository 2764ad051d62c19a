import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Maximum number of pixels of a picture for text recognition (OCR), which takes about a second per two million pixels.
 * Larger pictures are stored without text.
 */
export const maxOcrPixels = 40_000_000;

interface Reader {
  recognize(image: Buffer): Promise<{ data: { text: string } }>;
}

const readers = new Map<string, Promise<Reader>>();

/**
 * Returns the folder of a language's data for OCR (text recognition); undefined if tesseract.js, the OCR library, or
 * the data package is not installed.
 */
export function ocrDataFolder(language: string): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('tesseract.js');
    return join(dirname(resolve(`@tesseract.js-data/${language}/package.json`)), '4.0.0_best_int');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Returns the text recognized in a picture. One OCR worker per language is reused until the process ends. */
export async function recognizeText(picture: Uint8Array, language: string): Promise<string> {
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
    // OCR cannot decode some rare image formats. Drop the worker, which may be broken, and return no text.
    readers.delete(language);
    return '';
  }
}

async function start(language: string): Promise<Reader> {
  const folder = ocrDataFolder(language);
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

/**
 * Removes the spaces that OCR inserts between Chinese characters, because a search would not find words with spaces
 * inside.
 */
function withoutGaps(text: string): string {
  return text.replaceAll(
    /(?<=[\p{Script=Han}\u3000-\u303f\uff00-\uffef]) (?=[\p{Script=Han}\u3000-\u303f\uff00-\uffef])/gu,
    '',
  );
}
