// npm run conformance -- mcp: the official MCP suite against a server started here. The suite cannot send a key, so a
// forwarding port adds one; Host and Origin pass as they are, because the suite tests them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { root } from './paths.mjs';

ensureInstalled();
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'sheaf-mcp-'));
const server = spawn(process.execPath, [join(root, 'scripts', 'sheaf.mjs'), 'serve'], {
  env: { ...process.env, SHEAF_DATA: folder, SHEAF_PORT: '0', SHEAF_LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await new Promise((resolve, reject) => {
  let text = '';
  server.stdout.on('data', (chunk) => {
    text += chunk;
    const found = /ready at (\S+)/.exec(text);
    if (found) resolve(new URL(found[1]));
  });
  server.on('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
});
const { api_key: key } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
const forward = createServer((incoming, outgoing) => {
  const to = request(
    {
      host: url.hostname,
      port: url.port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...incoming.headers, authorization: `Bearer ${key}` },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    },
  );
  to.on('error', () => outgoing.destroy());
  incoming.pipe(to);
});
await new Promise((resolve) => forward.listen(0, '127.0.0.1', resolve));
const suite = spawn(
  process.execPath,
  [
    join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
    'server',
    '--url',
    `http://127.0.0.1:${forward.address().port}/mcp`,
    '--expected-failures',
    join(root, 'test', 'mcp', 'needs-fixtures.yml'),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const code = await new Promise((resolve) => suite.on('exit', resolve));
forward.close();
server.kill('SIGTERM');
await new Promise((resolve) => server.on('exit', resolve));
rmSync(folder, { recursive: true, force: true });
process.exit(code ?? 1);
