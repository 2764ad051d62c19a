import type { DecodedFile } from '../decode-types.ts';

/** Returns the empty result for files that no decoder can read. */
export function decodeUnsupported(): DecodedFile {
  return {
    text: '',
    headings: [],
    remark: 'Files of this kind are kept but not read; it is found by its name.',
    meta: {},
  };
}
