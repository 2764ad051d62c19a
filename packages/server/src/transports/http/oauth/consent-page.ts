import type { App } from '../../../app.ts';
import { isLoopbackHost, redirectHost } from '../../../lib/redirect-uris.ts';
import { scopeOf } from '../../../operation/scopes.ts';
import type { Person } from '../../../operation/sign-in.ts';
import { barePage, both, escaped } from '../bare-page.ts';
import type { AccessRequest } from './request.ts';

export interface ConsentPage {
  app: App;
  asked: AccessRequest;
  person: Person;
  /** The sealed access request; the form returns it, so that the user grants exactly what was shown. */
  sealed: string;
  languages: string | undefined;
}

/** Shows the app, its redirect host and the requested permissions, which the user may reduce. Works without scripts. */
export function consentPage({ app, asked, person, sealed, languages }: ConsentPage): string {
  const { client, redirectUri, scopes } = asked;
  const name = `<strong>${escaped(client.name)}</strong>`;
  const host = `<code>${escaped(redirectHost(redirectUri))}</code>`;
  const rows = app.registry.modules
    .map((module) => ({ module, own: scopes.filter((scope) => scopeOf(scope).module === module.name) }))
    .filter(({ own }) => own.length > 0)
    .map(
      ({ module, own }) =>
        `<div class="row"><span>${both(escaped(module.title), escaped(module.chineseTitle ?? module.title))}</span><span>${own
          .map(checkbox)
          .join('')}</span></div>`,
    );
  return barePage(
    `<form method="post" action="/oauth/authorize"><input type="hidden" name="request" value="${escaped(sealed)}">
<p>${both(`${name} wants to use this workspace as ${strong(person.name)}.`, `${name} 想以 ${strong(person.name)} 的身份使用此工作区。`)}</p>
<p class="small">${origin(asked)}</p>
<fieldset><legend>${both('It will be able to:', '它将可以：')}</legend>${rows.join('')}</fieldset>
<p class="small">${both(`It is sent back to ${host}. You can disconnect it in your account at any time.`, `之后将返回 ${host}。您可以随时在账户中断开它。`)}</p>
<div class="buttons"><button type="submit" name="decision" value="allow">${both('Allow', '允许')}</button>
<button type="submit" name="decision" value="deny" class="quiet">${both('Cancel', '取消')}</button></div></form>`,
    languages,
  );
}

/** Says who vouches for the app's name: the host of its client metadata document, or nobody. */
function origin({ client, redirectUri }: AccessRequest): string {
  if (client.kind === 'document') {
    const host = `<code>${escaped(new URL(client.id).host)}</code>`;
    return both(`The app is described at ${host}.`, `该应用的说明位于 ${host}。`);
  }
  const url = new URL(redirectUri);
  return url.protocol === 'http:' && isLoopbackHost(url.hostname)
    ? both(
        'It says it runs on this computer. Anyone can choose its name: continue only if you have just started it yourself.',
        '它声称运行在这台电脑上。名称可由任何人填写：仅当您刚刚亲自启动它时才继续。',
      )
    : both(
        'Anyone can choose its name: continue only if you trust the address below.',
        '名称可由任何人填写：仅当您信任下方地址时才继续。',
      );
}

function checkbox(scope: string): string {
  const label = scopeOf(scope).effect === 'write' ? both('write', '写入') : both('read', '读取');
  return `<label><input type="checkbox" name="scope" value="${escaped(scope)}" checked>${label}</label>`;
}

/** Shows what is wrong with an app's request. `app`: where the user may choose to return to with the error. */
export function refusalPage(
  message: string,
  languages: string | undefined,
  app?: { readonly address: string; readonly host: string },
): string {
  const host = app && `<code>${escaped(app.host)}</code>`;
  const link =
    app === undefined
      ? ''
      : `<a href="${escaped(app.address)}" rel="noreferrer">${both(`Tell the app at ${host}`, `告知 ${host} 上的应用`)}</a>`;
  return barePage(
    `<form><p class="warn" role="alert">${both('This app cannot be connected.', '无法连接此应用。')}</p>
<p class="small">${escaped(message)}</p>${link}<a href="/">${both('Back to the workspace', '返回工作区')}</a></form>`,
    languages,
  );
}

function strong(text: string): string {
  return `<strong>${escaped(text)}</strong>`;
}
