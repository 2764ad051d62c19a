import { fail } from '../../kernel/errors.ts';

const minLetters = 8;

/**
 * The most frequent passwords of at least eight characters, according to public lists. Users may not choose one of
 * them.
 */
const frequentPasswords = new Set(
  (
    'password password1 password12 password123 password! passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 ' +
    '0123456789 87654321 987654321 11111111 00000000 88888888 12341234 11223344 123123123 147258369 1q2w3e4r ' +
    '1q2w3e4r5t 1qaz2wsx qwertyui qwertyuiop qwerty123 qwerty12 asdfghjk asdfghjkl zxcvbnm1 abcd1234 abc12345 a1b2c3d4 ' +
    'aa123456 a12345678 iloveyou sunshine princess football baseball superman trustno1 starwars whatever michelle ' +
    'welcome1 welcome123 changeme changeme1 letmein1 admin123 administrator woaini1314 5201314520'
  ).split(' '),
);

/**
 * Throws if a password is too short, very common, made of one or two repeated characters, or only the user's name with
 * digits or punctuation.
 */
export function refuseWeakPassword(password: string, userName: string): void {
  const text = password.trim().toLowerCase();
  if ([...text].length < minLetters)
    throw fail('invalid_parameter', `password: must have at least ${minLetters} characters besides spaces around it`);
  if (new Set(text).size < 3)
    throw fail('invalid_parameter', 'password: must not repeat one or two characters; choose several words');
  if (frequentPasswords.has(text))
    throw fail('invalid_parameter', 'password: is one of the most frequent passwords; choose several words');
  const name = userName.toLowerCase();
  if (name.length > 2 && text.replaceAll(name, '').replaceAll(/[\d\p{P}\p{S}]/gu, '') === '')
    throw fail('invalid_parameter', 'password: must not be the user name; choose several words');
}
