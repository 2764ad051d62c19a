/** The largest grid there is. The page takes it from here, too: this file imports nothing. */
export const maxRows = 1_048_576;
export const maxCols = 16_384;
