// npm run dev: runs the server and the page, and rebuilds both when their sources change. Vite serves the page and
// proxies calls to the server. The server's environment variables apply; SHEAF_DEV_PORT sets the page's port.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { root } from './root-folder.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

ensureInstalled(root, { withTests: true });
await ensureBuilt();
const { createServer } = await import('vite');

const say = (text) => process.stdout.write(`dev: ${text}\n`);
const quietMs = 150;
// Source of the program that runs the server. It uses dist/main.js, because tools/sheaf.mjs would build the page, too.
const serve = `import(${JSON.stringify(pathToFileURL(join(root, 'dist', 'main.js')).href)}).then((it) => it.main(['serve']))`;
let server = await start(process.env.SHEAF_PORT);

// packages/web/vite.config.ts reads the URL of the server from this variable.
process.env.SHEAF_URL = server.url;
const page = await createServer({
  configFile: join(root, 'packages', 'web', 'vite.config.ts'),
  server: { host: '127.0.0.1', port: Number(process.env.SHEAF_DEV_PORT ?? 5173) },
});
await page.listen();
say(`the page is at ${page.resolvedUrls.local[0]}`);

let timer;
let isBusy = false;
let isAsked = false;
for (const name of readdirSync(join(root, 'packages'))) {
  if (name === 'web') continue;
  watch(join(root, 'packages', name, 'src'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void again(), quietMs);
  });
}
// Stop the server, too, when this process ends. Vite ends the process when it stops.
process.on('exit', () => server.child.kill('SIGTERM'));
process.once('SIGINT', () => process.exit(0));

/**
 * Rebuilds and restarts the server, one build at a time. Changes during a build trigger another one. If a build fails,
 * the old server keeps running.
 */
async function again() {
  isAsked = true;
  if (isBusy) return;
  isBusy = true;
  while (isAsked) {
    isAsked = false;
    try {
      await build({ withPage: false });
    } catch (error) {
      say(`not built, the server goes on as it was: ${error.message}`);
      continue;
    }
    await end(server.child);
    try {
      server = await start(new URL(server.url).port);
    } catch (error) {
      say(error.message);
    }
  }
  isBusy = false;
}

async function start(port) {
  const env = { ...process.env, ...(port === undefined ? {} : { SHEAF_PORT: port }) };
  const child = spawn(process.execPath, ['--eval', serve], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      process.stdout.write(`${line}\n`);
      const found = /ready at (\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}; change a source to try again`)));
  });
  return { child, url };
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
