import type { en } from './en.ts';
import { accountNames } from './zh/account-names.ts';
import { inbox } from './zh/inbox.ts';
import { knowledgeNames } from './zh/knowledge-names.ts';
import { notes } from './zh/notes.ts';
import { sharing } from './zh/sharing.ts';
import { shell } from './zh/shell.ts';

export const zh: Record<keyof typeof en, string> = {
  ...shell,
  ...accountNames,
  ...notes,
  ...knowledgeNames,
  ...sharing,
  ...inbox,
};
