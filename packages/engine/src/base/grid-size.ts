/** Maximum size of a grid. This file must import nothing, because the web page imports it too. */
export const maxRows = 1_048_576;
export const maxCols = 16_384;
/** Default column width, in characters. */
export const usualColumnWidth = 8.43;
