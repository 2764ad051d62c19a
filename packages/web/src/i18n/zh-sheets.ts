import type { enSheets } from './en-sheets.ts';
import { grid } from './zh/grid.ts';
import { panels } from './zh/panels.ts';
import { rulesAndComments } from './zh/rules-and-comments.ts';

export const zhSheets: Record<keyof typeof enSheets, string> = { ...grid, ...panels, ...rulesAndComments };
