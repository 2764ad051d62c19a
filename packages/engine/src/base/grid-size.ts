/**
 * Maximum numbers of rows and columns of a sheet. The browser code imports this file too, so it must import nothing:
 * any import would be added to the code of the web page.
 */
export const maxRows = 1_048_576;
export const maxCols = 16_384;
/** Default column width, in characters. */
export const usualColumnWidth = 8.43;
