import type { en } from './en.ts';
import { account } from './zh/account.ts';
import { inbox } from './zh/inbox.ts';
import { knowledge } from './zh/knowledge.ts';
import { notes } from './zh/notes.ts';
import { sharing } from './zh/sharing.ts';
import { shell } from './zh/shell.ts';

export const zh: Record<keyof typeof en, string> = {
  ...shell,
  ...account,
  ...notes,
  ...knowledge,
  ...sharing,
  ...inbox,
};
