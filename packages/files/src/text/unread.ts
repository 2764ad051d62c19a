import type { Decoded } from '../decode-types.ts';

/** Stands for the decoder of files that no decoder reads. */
export function decodeUnread(): Decoded {
  return {
    text: '',
    headings: [],
    remark: 'Files of this kind are kept but not read; it is found by its name.',
    meta: {},
  };
}
