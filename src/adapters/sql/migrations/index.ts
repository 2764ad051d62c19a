import { accounts } from './001-accounts.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [accounts];
