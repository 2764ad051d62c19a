import type { en } from './en.ts';
import { account } from './zh/account.ts';
import { grid } from './zh/grid.ts';
import { rulesAndComments } from './zh/rules-and-comments.ts';
import { notes } from './zh/notes.ts';
import { panels } from './zh/panels.ts';
import { shell } from './zh/shell.ts';
import { knowledge } from './zh/knowledge.ts';

export const zh: Record<keyof typeof en, string> = {
  ...shell,
  ...account,
  ...notes,
  ...knowledge,
  ...grid,
  ...panels,
  ...rulesAndComments,
};
