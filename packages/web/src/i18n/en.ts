import { accountNames } from './en/account-names.ts';
import { inbox } from './en/inbox.ts';
import { knowledgeNames } from './en/knowledge-names.ts';
import { notes } from './en/notes.ts';
import { sharing } from './en/sharing.ts';
import { shell } from './en/shell.ts';

/**
 * English texts that every page loads, by key. Spreadsheets, account pages, knowledge bases and comments have separate
 * files. zh.ts must have the same keys.
 */
export const en = { ...shell, ...accountNames, ...notes, ...knowledgeNames, ...sharing, ...inbox };
