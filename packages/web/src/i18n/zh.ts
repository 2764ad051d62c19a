import type { en } from './en.ts';
import { account } from './zh/account.ts';
import { integrations } from './zh/integrations.ts';
import { shared } from './zh/shared.ts';
import { grid } from './zh/grid.ts';
import { shortcuts } from './zh/shortcuts.ts';
import { rulesAndComments } from './zh/rules-and-comments.ts';
import { notes } from './zh/notes.ts';
import { panels } from './zh/panels.ts';
import { print } from './zh/print.ts';
import { sharing } from './zh/sharing.ts';
import { search } from './zh/search.ts';
import { shell } from './zh/shell.ts';
import { knowledge } from './zh/knowledge.ts';

export const zh: Record<keyof typeof en, string> = {
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
