import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { operation } from '../../../kernel/operation.ts';
import { displayName, pageLanguage, picture, profileFields, timeZone, toProfileInfo } from '../profiles.ts';

export const update_profile = operation({
  summary:
    "Changes the caller's display name, language, time zone or picture; what is absent stays.\n" +
    'Example: {"display_name":"Ada Lovelace","time_zone":"Europe/London"}',
  effect: 'write',
  idempotent: true,
  input: {
    display_name: displayName().optional(),
    language: pageLanguage().optional(),
    time_zone: timeZone().optional(),
    picture: picture().optional(),
  },
  output: profileFields,
  async run(input, context) {
    const before = await context.profiles.profile(context.caller.userId);
    const profile = {
      ...before,
      displayName: input.display_name?.trim() ?? before.displayName,
      language: input.language ?? before.language,
      timeZone: input.time_zone ?? before.timeZone,
      picture: input.picture ?? before.picture,
    };
    return writeAndAnswer(
      context,
      () => context.profiles.saveProfile(context.stamp, profile),
      () => toProfileInfo(profile),
    );
  },
});
