import { operation } from '../../../kernel/operation.ts';
import { flag } from '../../../kernel/field-schemas.ts';
import { profileFields, toProfileInfo } from '../profiles.ts';

export const get_profile = operation({
  summary: "Returns the caller's display name, language, time zone and picture.",
  effect: 'read',
  input: {},
  output: {
    ...profileFields,
    needs_old_password: flag('Whether set_password requires the old password in this session.'),
  },
  async run(_input, { accounts, profiles, caller }) {
    const [profile, account, sessions] = await Promise.all([
      profiles.profile(caller.userId),
      accounts.userByName(caller.userName),
      caller.via === 'session' ? accounts.listSessions(caller.userId) : [],
    ]);
    const session = sessions.find(({ id }) => id === caller.keyId);
    return {
      ...toProfileInfo(profile),
      needs_old_password: session !== undefined && !session.isByLink && typeof account?.passwordHash === 'string',
    };
  },
});
