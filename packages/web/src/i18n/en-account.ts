import { account } from './en/account.ts';

/** English translations for the account pages, by key. zh-account.ts must have the same keys. */
export const enAccount = account;
