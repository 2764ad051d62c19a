/**
 * An OpenID provider as a process of its own: says its address in one line. Whoever comes is signed in at once as the person
 * who was last put to /person; a person who was put to /disabled is not known any more. /groups/<person>/<a,b> sets the groups that
 * the person's ID tokens name.
 */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const disabled = new Set();
const groups = new Map();
let person = 'nobody';
let handle = (_request, response) => response.writeHead(503).end();

const server = createServer((request, response) => handle(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'sheaf',
        client_secret: 'a secret of the provider',
        // Whatever port the server of a test has.
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/sign-in/sso/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
    conformIdTokenClaims: false,
    issueRefreshToken: () => true,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, id) =>
      disabled.has(id)
        ? undefined
        : {
            accountId: id,
            claims: () => ({
              sub: id,
              preferred_username: id.split('-')[0],
              email: 'owner@example.com',
              groups: groups.get(id),
            }),
          },
  });
  const answer = provider.callback();
  handle = async (request, response) => {
    const [, area, value, named = ''] = request.url.split('/');
    if (area === 'person' || area === 'disabled' || area === 'groups') {
      if (area === 'person') person = value;
      else if (area === 'groups') groups.set(value, named.split(',').filter(Boolean));
      else disabled.add(value);
      return response.writeHead(204).end();
    }
    if (area !== 'interaction') return answer(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId: person, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const result = { login: { accountId: person }, consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result);
  };
  process.stdout.write(`${issuer}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
