/** Maximum size of a grid. The web page also imports this file, so it imports nothing. */
export const maxRows = 1_048_576;
export const maxCols = 16_384;
