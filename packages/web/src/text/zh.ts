import type { en } from './en.ts';
import { account } from './zh/account.ts';
import { connect } from './zh/connect.ts';
import { everywhere } from './zh/everywhere.ts';
import { grid } from './zh/grid.ts';
import { keys } from './zh/keys.ts';
import { marks } from './zh/marks.ts';
import { notes } from './zh/notes.ts';
import { panels } from './zh/panels.ts';
import { print } from './zh/print.ts';
import { sharing } from './zh/sharing.ts';
import { search } from './zh/search.ts';
import { shell } from './zh/shell.ts';
import { wiki } from './zh/wiki.ts';

export const zh: Record<keyof typeof en, string> = {
  ...everywhere,
  ...shell,
  ...search,
  ...account,
  ...connect,
  ...notes,
  ...wiki,
  ...grid,
  ...keys,
  ...panels,
  ...marks,
  ...sharing,
  ...print,
};
