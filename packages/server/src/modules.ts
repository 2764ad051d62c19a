import { account } from './modules/account/index.ts';
import { inbox } from './modules/inbox/index.ts';
import { manage } from './modules/manage/index.ts';
import { note } from './modules/note/index.ts';
import type { Module } from './kernel/module.ts';
import { sharing } from './modules/sharing/index.ts';
import { sheet } from './modules/sheet/index.ts';
import { wiki } from './modules/wiki/index.ts';

/** All modules of the server; each groups the operations of one subject. A new module is registered only here. */
export const modules = { account, note, wiki, sheet, manage, sharing, inbox } as const satisfies Record<string, Module>;

export type Modules = typeof modules;
