/** Compares the pages of two documents as PPM pictures. */
export interface PixelReport {
  /** Pixels that differ, by the pixels of all pages. A page that only one document has differs in every pixel. */
  readonly share: number;
  readonly pages: number;
  readonly otherPages: number;
  /** Numbers of the pages that differ. */
  readonly differing: readonly number[];
}

export function comparePixels(pages: readonly Uint8Array[], otherPages: readonly Uint8Array[]): PixelReport {
  let all = 0;
  let different = 0;
  const differing: number[] = [];
  for (let i = 0; i < Math.max(pages.length, otherPages.length); i++) {
    const [one, other] = [pages[i], otherPages[i]].map((page) => page && readPicture(page));
    const size = (one ?? other)!.pixels.length / bytesPerPixel;
    const differ = one && other ? countDifferent(one, other) : size;
    all += size;
    different += differ;
    if (differ > 0) differing.push(i + 1);
  }
  return { share: all === 0 ? 0 : different / all, pages: pages.length, otherPages: otherPages.length, differing };
}

const bytesPerPixel = 3;

interface Picture {
  readonly size: string;
  readonly pixels: Uint8Array;
}

/** Reads a binary PPM picture: `P6`, width, height and the largest value in text, then three bytes for each pixel. */
function readPicture(bytes: Uint8Array): Picture {
  const head = /^P6\s+(\d+\s+\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 64)).toString('latin1'));
  if (!head) throw new Error('not a binary PPM picture with 8 bits a colour');
  return { size: head[1]!, pixels: bytes.subarray(head[0].length) };
}

function countDifferent(one: Picture, other: Picture): number {
  if (one.size !== other.size) return one.pixels.length / bytesPerPixel;
  let count = 0;
  for (let at = 0; at < one.pixels.length; at += bytesPerPixel)
    if (
      one.pixels[at] !== other.pixels[at] ||
      one.pixels[at + 1] !== other.pixels[at + 1] ||
      one.pixels[at + 2] !== other.pixels[at + 2]
    )
      count++;
  return count;
}
