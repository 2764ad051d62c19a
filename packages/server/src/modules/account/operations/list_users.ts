import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { toUserInfo, userInfo } from '../schema.ts';

const listedUser = userInfo.extend({
  display_name: text('Name that others see; empty: the sign-in name.'),
  stored_bytes: integer('Bytes the user stores.'),
  quota_bytes: integer('Bytes the user may store.'),
  last_seen_time: integer('Latest sign-in, use of a key or write in Unix milliseconds; 0: never.'),
});

export const list_users = operation({
  summary: 'Lists all users, oldest first.',
  effect: 'read',
  ownerOnly: true,
  input: {},
  output: { users: list('All users, including suspended and deleted ones.', listedUser) },
  async run(_input, { accounts, profiles, config }) {
    const [users, activity] = await Promise.all([accounts.listUsers(), profiles.listActivity()]);
    const byId = new Map(activity.map((one) => [one.userId, one]));
    return {
      users: users.map((user) => {
        const { displayName = '', storedBytes = 0, lastSeenAt = 0 } = byId.get(user.id) ?? {};
        return {
          ...toUserInfo(user),
          display_name: displayName,
          stored_bytes: storedBytes,
          quota_bytes: user.quotaBytes ?? config.SHEAF_QUOTA_BYTES,
          last_seen_time: lastSeenAt,
        };
      }),
    };
  },
});
