import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { mayUseKind } from '../../../kernel/resource-kinds.ts';
import { resourceKinds } from '../../../ports/permission-store.ts';
import { kind } from '../schema.ts';

export const list_followed = operation({
  summary: 'Lists what the caller follows and may see, latest first.\nExample: {}',
  effect: 'read',
  input: {},
  output: {
    followed: list(
      'What is followed.',
      z.object({
        kind: kind(),
        id: text('Its id.'),
        title: text('Its title or name.'),
        time: integer('Since when, in Unix milliseconds.'),
      }),
    ),
  },
  async run(_input, context) {
    const { permissions, inboxStore, caller } = context;
    const follows = await inboxStore.followed(caller.userId);
    const titles = new Map<string, string>();
    for (const kind of resourceKinds) {
      const ids = follows.filter((one) => one.kind === kind).map((one) => one.id);
      if (ids.length === 0 || !mayUseKind(caller, kind, 'read')) continue;
      const roles = await permissions.roles(kind, ids, caller.userId);
      for (const [id, title] of await inboxStore.titles(kind, [...roles.keys()])) titles.set(id, title);
    }
    return {
      followed: follows.flatMap(({ kind, id, since }) => {
        const title = titles.get(id);
        return title === undefined ? [] : [{ kind, id, title, time: since }];
      }),
    };
  },
});
