import { examples as account } from './account/examples.ts';
import { examples as inbox } from './inbox/examples.ts';
import { examples as manage } from './manage/examples.ts';
import { examples as note } from './note/examples.ts';
import { examples as sharing } from './sharing/examples.ts';
import { examples as sheet } from './sheet/examples.ts';
import { examples as wiki } from './wiki/examples.ts';
import type { modules } from '../../src/modules.ts';
import type { Examples } from './generated.ts';

/** A valid input of every operation, by module. */
export const examples: Record<keyof typeof modules, Examples> = { account, inbox, manage, note, sharing, sheet, wiki };
