import { oneOf, text } from '../../kernel/field-schemas.ts';
import type { Profile } from '../../ports/profile-store.ts';

/** Maximum length of a user's picture as a data URL, in characters. */
const maxPicture = 64 * 1024;

export const displayName = () =>
  text('Name that others see; empty for the sign-in name.', { max: 80 }).refine(
    (name) => !/[\p{Cc}\p{Surrogate}]/u.test(name),
    'must not contain control characters',
  );
export const pageLanguage = () => oneOf('Language of the page; empty for that of the browser.', ['', 'en', 'zh']);
export const timeZone = () =>
  text('IANA time zone such as Europe/Paris; empty for that of the browser.', { max: 64 }).refine(
    isTimeZone,
    'must be an IANA time zone such as Europe/Paris',
  );
export const picture = () =>
  text('Small picture as a data URL (PNG, JPEG or WebP); empty for none.', { max: maxPicture }).refine(
    (url) => url === '' || /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/.test(url),
    'must be a data URL of a PNG, JPEG or WebP picture',
  );

export const profileFields = {
  display_name: text('Name that others see; empty: the sign-in name.'),
  language: text('Language of the page, en or zh; empty: that of the browser.'),
  time_zone: text('IANA time zone; empty: that of the browser.'),
  picture: text('Small picture as a data URL; empty: none.'),
};

export function toProfileInfo({ displayName, language, timeZone, picture }: Profile) {
  return { display_name: displayName, language, time_zone: timeZone, picture };
}

function isTimeZone(name: string): boolean {
  if (name === '') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
