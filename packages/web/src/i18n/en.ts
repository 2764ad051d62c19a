import { account } from './en/account.ts';
import { grid } from './en/grid.ts';
import { rulesAndComments } from './en/rules-and-comments.ts';
import { notes } from './en/notes.ts';
import { panels } from './en/panels.ts';
import { shell } from './en/shell.ts';
import { knowledge } from './en/knowledge.ts';

/** All English texts of the page by key. zh.ts must have the same keys. */
export const en = {
  ...shell,
  ...account,
  ...notes,
  ...knowledge,
  ...grid,
  ...panels,
  ...rulesAndComments,
};
