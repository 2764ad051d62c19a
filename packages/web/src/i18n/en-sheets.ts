import { grid } from './en/grid.ts';
import { panels } from './en/panels.ts';
import { rulesAndComments } from './en/rules-and-comments.ts';

/** English translations for spreadsheets, by key. zh-sheets.ts must have the same keys. */
export const enSheets = { ...grid, ...panels, ...rulesAndComments };
