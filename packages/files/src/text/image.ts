import { damaged, FormatError } from '../format-error.ts';
import { maxOcrPixels, recognizeText } from './ocr.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

const accepted = new Map([
  ['png', 'png'],
  ['jpg', 'jpeg'],
  ['webp', 'webp'],
]);

/**
 * Reads size and format from the image header. Decodes the pixels only if OCR is enabled and the image is small enough.
 */
export async function decodeImage(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const { imageSize } = await import('image-size');
  let size;
  try {
    size = imageSize(bytes);
  } catch (error) {
    throw damaged('its image header cannot be read', error);
  }
  const format = accepted.get(size.type ?? '');
  if (format === undefined)
    throw new FormatError(
      'unsupported',
      `The picture is ${size.type ?? 'of an unknown type'}; only png, jpeg and webp can be added.`,
    );
  if (!(size.width > 0) || !(size.height > 0)) throw damaged(`its picture is ${size.width} by ${size.height} pixels`);
  if (size.width * size.height > job.limits.maxPixels) {
    throw new FormatError(
      'too_large',
      `The picture is ${size.width} by ${size.height} pixels; the limit is ${job.limits.maxPixels} pixels in all. Scale it down and upload it again.`,
    );
  }
  // EXIF orientations 5 to 8 rotate the image by 90 degrees, which swaps width and height.
  const turned = (size.orientation ?? 1) >= 5;
  const isReadable = job.ocr !== undefined && size.width * size.height <= maxOcrPixels;
  const text = isReadable ? await recognizeText(bytes, job.ocr!) : '';
  const why =
    job.ocr === undefined
      ? 'Text in pictures is not read by this installation (its owner can set SHEAF_OCR)'
      : isReadable
        ? 'No text was recognized in the picture'
        : `The picture has more than ${maxOcrPixels} pixels, too many for text recognition`;
  return {
    text,
    ...(text.trim() === '' ? { remark: `${why}; it is found by its name.` } : {}),
    headings: [],
    meta: { format, width: turned ? size.height : size.width, height: turned ? size.width : size.height },
  };
}
