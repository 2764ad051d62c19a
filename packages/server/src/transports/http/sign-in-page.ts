import type { Person } from '../../operation/sign-in.ts';
import { barePage, both, escaped } from './bare-page.ts';

export interface SignInPage {
  token: string;
  /** The user whom the link signs in. */
  person: Person;
  /** The user who is signed in now, if different. */
  other: Person | undefined;
  /** The Accept-Language header. */
  languages: string | undefined;
}

/** The page of a sign-in link: the user's name and a button. Works without scripts. */
export function signInPage({ token, person, other, languages }: SignInPage): string {
  const name = `<strong>${escaped(person.name)}</strong>`;
  const otherName = `<strong>${escaped(other?.name ?? '')}</strong>`;
  const question = other
    ? '<p class="warn" role="alert">' +
      `${both(`You are signed in as ${otherName}. This link signs in as a different user: ${name}.`, `您当前已登录为 ${otherName}。此链接将登录另一个账户：${name}。`)}` +
      '</p>'
    : `<p>${both(`This link signs you in as ${name}.`, `此链接将让您以 ${name} 的身份登录。`)}</p>`;
  const button = other ? both('Sign out and switch', '退出并切换账户') : both('Sign in', '登录');
  const insteadOf = other ? `<input type="hidden" name="instead_of" value="${escaped(other.userId)}">` : '';
  const stay = other
    ? `<a href="/">${both(`Stay signed in as ${escaped(other.name)}`, `继续以 ${escaped(other.name)} 的身份使用`)}</a>`
    : '';
  return barePage(
    `<form method="post" action="/sign-in"><input type="hidden" name="token" value="${escaped(token)}">${insteadOf}
${question}<button type="submit">${button}</button>${stay}</form>`,
    languages,
  );
}
