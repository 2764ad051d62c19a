import { account } from './en/account.ts';
import { integrations } from './en/integrations.ts';
import { shared } from './en/shared.ts';
import { grid } from './en/grid.ts';
import { shortcuts } from './en/shortcuts.ts';
import { rulesAndComments } from './en/rules-and-comments.ts';
import { notes } from './en/notes.ts';
import { panels } from './en/panels.ts';
import { print } from './en/print.ts';
import { sharing } from './en/sharing.ts';
import { search } from './en/search.ts';
import { shell } from './en/shell.ts';
import { knowledge } from './en/knowledge.ts';

/** All English texts of the page. zh.ts has the same keys. */
export const en = {
  ...shared,
  ...shell,
  ...search,
  ...account,
  ...integrations,
  ...notes,
  ...knowledge,
  ...grid,
  ...shortcuts,
  ...panels,
  ...rulesAndComments,
  ...sharing,
  ...print,
};
