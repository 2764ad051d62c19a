import { account } from './en/account.ts';
import { connect } from './en/connect.ts';
import { everywhere } from './en/everywhere.ts';
import { grid } from './en/grid.ts';
import { keys } from './en/keys.ts';
import { marks } from './en/marks.ts';
import { notes } from './en/notes.ts';
import { panels } from './en/panels.ts';
import { print } from './en/print.ts';
import { sharing } from './en/sharing.ts';
import { search } from './en/search.ts';
import { shell } from './en/shell.ts';
import { wiki } from './en/wiki.ts';

/** All English texts of the page. zh.ts has the same keys. */
export const en = {
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
