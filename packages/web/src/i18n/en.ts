import { account } from './en/account.ts';
import { inbox } from './en/inbox.ts';
import { knowledge } from './en/knowledge.ts';
import { notes } from './en/notes.ts';
import { sharing } from './en/sharing.ts';
import { shell } from './en/shell.ts';

/** English texts by key, without those of spreadsheets. zh.ts must have the same keys. */
export const en = { ...shell, ...account, ...notes, ...knowledge, ...sharing, ...inbox };
