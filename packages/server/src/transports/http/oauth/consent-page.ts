import type { App } from '../../../app.ts';
import { isLoopbackHost, redirectHost } from '../../../lib/redirect-uris.ts';
import { parseScope } from '../../../kernel/oauth-scopes.ts';
import type { SignInUser } from '../../../kernel/sign-in.ts';
import { renderServerPage, bilingual, escapeHtml } from '../server-rendered-page.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

export interface ConsentPage {
  app: App;
  asked: AuthorizationRequest;
  person: SignInUser;
  /**
   * Encrypted access request. The form sends it back, so that the user grants exactly the access that the page showed.
   */
  sealed: string;
  languages: string | undefined;
}

/**
 * Renders the consent page with the app, its redirect host and the requested permissions, which the user may reduce.
 * The page works without scripts.
 */
export function renderConsentPage({ app, asked, person, sealed, languages }: ConsentPage): string {
  const { client, redirectUri, scopes } = asked;
  const name = `<strong>${escapeHtml(client.name)}</strong>`;
  const host = `<code>${escapeHtml(redirectHost(redirectUri))}</code>`;
  const rows = app.registry.modules
    .map((module) => ({ module, own: scopes.filter((scope) => parseScope(scope).module === module.name) }))
    .filter(({ own }) => own.length > 0)
    .map(
      ({ module, own }) =>
        `<div class="row"><span>${bilingual(escapeHtml(module.title), escapeHtml(module.chineseTitle ?? module.title))}</span><span>${own
          .map(checkbox)
          .join('')}</span></div>`,
    );
  return renderServerPage(
    `<form method="post" action="/oauth/authorize"><input type="hidden" name="request" value="${escapeHtml(sealed)}">
<p>${bilingual(`${name} wants to use this workspace as ${strong(person.name)}.`, `${name} 想以 ${strong(person.name)} 的身份使用此工作区。`)}</p>
<p class="small">${origin(asked)}</p>
<fieldset><legend>${bilingual('It will be able to:', '它将可以：')}</legend>${rows.join('')}</fieldset>
<p class="small">${bilingual(`It is sent back to ${host}. You can disconnect it in your account at any time.`, `之后将返回 ${host}。您可以随时在账户中断开它。`)}</p>
<div class="buttons"><button type="submit" name="decision" value="allow">${bilingual('Allow', '允许')}</button>
<button type="submit" name="decision" value="deny" class="quiet">${bilingual('Cancel', '取消')}</button></div></form>`,
    languages,
  );
}

/**
 * Returns a sentence about the origin of the app's name: the host of its client metadata document, or a warning that
 * anyone can choose the name.
 */
function origin({ client, redirectUri }: AuthorizationRequest): string {
  if (client.kind === 'document') {
    const host = `<code>${escapeHtml(new URL(client.id).host)}</code>`;
    return bilingual(`The app is described at ${host}.`, `该应用的说明位于 ${host}。`);
  }
  const url = new URL(redirectUri);
  return url.protocol === 'http:' && isLoopbackHost(url.hostname)
    ? bilingual(
        'It says it runs on this computer. Anyone can choose its name: continue only if you have just started it yourself.',
        '它声称运行在这台电脑上。名称可由任何人填写：仅当您刚刚亲自启动它时才继续。',
      )
    : bilingual(
        'Anyone can choose its name: continue only if you trust the address below.',
        '名称可由任何人填写：仅当您信任下方地址时才继续。',
      );
}

function checkbox(scope: string): string {
  const label = parseScope(scope).effect === 'write' ? bilingual('write', '写入') : bilingual('read', '读取');
  return `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked>${label}</label>`;
}

/**
 * Renders an error page for an invalid request of an app. If `app` is given, the page has a link that returns the user
 * to the app and reports the error.
 */
export function renderRefusalPage(
  message: string,
  languages: string | undefined,
  app?: { readonly address: string; readonly host: string },
): string {
  const host = app && `<code>${escapeHtml(app.host)}</code>`;
  const link =
    app === undefined
      ? ''
      : `<a href="${escapeHtml(app.address)}" rel="noreferrer">${bilingual(`Tell the app at ${host}`, `告知 ${host} 上的应用`)}</a>`;
  return renderServerPage(
    `<form><p class="warn" role="alert">${bilingual('This app cannot be connected.', '无法连接此应用。')}</p>
<p class="small">${escapeHtml(message)}</p>${link}<a href="/">${bilingual('Back to the workspace', '返回工作区')}</a></form>`,
    languages,
  );
}

function strong(text: string): string {
  return `<strong>${escapeHtml(text)}</strong>`;
}
