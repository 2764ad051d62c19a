import type { SignInUser } from '../../kernel/sign-in.ts';
import { renderServerPage, bilingual, escapeHtml } from './server-rendered-page.ts';

export interface SignInLinkPage {
  token: string;
  /** User whom the link signs in. */
  person: SignInUser;
  /**
   * User who is currently signed in, if it is another one than `person`. Undefined if nobody or `person` is signed in.
   */
  other: SignInUser | undefined;
  languages: string | undefined;
}

/** Renders the page of a sign-in link with the user's name and a button. The page works without scripts. */
export function renderSignInLinkPage({ token, person, other, languages }: SignInLinkPage): string {
  const name = `<strong>${escapeHtml(person.name)}</strong>`;
  const otherName = `<strong>${escapeHtml(other?.name ?? '')}</strong>`;
  const question = other
    ? '<p class="warn" role="alert">' +
      `${bilingual(`You are signed in as ${otherName}. This link signs in as a different user: ${name}.`, `您当前已登录为 ${otherName}。此链接将登录另一个账户：${name}。`)}` +
      '</p>'
    : `<p>${bilingual(`This link signs you in as ${name}.`, `此链接将让您以 ${name} 的身份登录。`)}</p>`;
  const button = other ? bilingual('Sign out and switch', '退出并切换账户') : bilingual('Sign in', '登录');
  const insteadOf = other ? `<input type="hidden" name="instead_of" value="${escapeHtml(other.userId)}">` : '';
  const stay = other
    ? `<a href="/">${bilingual(`Stay signed in as ${escapeHtml(other.name)}`, `继续以 ${escapeHtml(other.name)} 的身份使用`)}</a>`
    : '';
  return renderServerPage(
    `<form method="post" action="/sign-in"><input type="hidden" name="token" value="${escapeHtml(token)}">${insteadOf}
${question}<button type="submit">${button}</button>${stay}</form>`,
    languages,
  );
}
