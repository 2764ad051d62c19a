import type { enAccount } from './en-account.ts';
import { account } from './zh/account.ts';

export const zhAccount: Record<keyof typeof enAccount, string> = account;
