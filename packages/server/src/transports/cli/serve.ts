import { createApp } from '../../app.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { ensureInitialOwner } from '../../initial-owner.ts';
import { runEvery } from '../../lib/background-tasks.ts';
import { createHttpServer } from '../http/server.ts';

export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  let config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`sheaf: ${error.message}\n`);
    process.exit(2);
  }
  const app = await createApp(config).catch((error: Error) => {
    process.stderr.write(`sheaf: cannot start: ${error.message}\n`);
    process.exit(1);
  });
  const http = createHttpServer(app);
  let url: string;
  try {
    url = await http.listen();
  } catch (error) {
    process.stderr.write(
      `sheaf: cannot listen on ${config.SHEAF_HOST}:${config.SHEAF_PORT}: ${(error as Error).message}\n`,
    );
    await app.close();
    process.exit(1);
  }
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    app.services.log.info({ signal }, 'stopping');
    // Close the HTTP server and finish jobs at the same time. Doing one after the other could take longer than process
    // managers wait.
    Promise.all([http.close(), app.finishJobs()])
      .then(() => app.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          app.services.log.error({ err: error }, 'stop failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGHUP', () => stop('SIGHUP'));

  // Watch the parent process only if one of our own npm scripts or npx started the server. A server started by another
  // npm script may be meant to run after npm ends.
  if (ownScripts.has(env['npm_lifecycle_event'] ?? '')) stopWithParent(() => stop('the end of npm'));

  const first = await ensureInitialOwner(app, config.SHEAF_PUBLIC_URL ?? url).catch((error: Error) => {
    process.stderr.write(`sheaf: cannot create the first account: ${error.message}\n`);
    process.exit(1);
  });
  if (first) {
    process.stdout.write(
      `sheaf created your account. Sign in once with: ${first.credentials.url}/sign-in?token=${first.signInToken}\n`,
    );
    process.stdout.write(`The first API key is in ${config.SHEAF_DATA}/credentials.json\n`);
  }
  process.stdout.write(`sheaf is ready at ${url}\n`);
  // Only warn if a dependency is unavailable. The database has already answered, and a blob store may become available
  // later. /readyz and uploads report the state.
  await app.ready().catch((error: Error & { causes?: readonly string[] }) => {
    process.stderr.write(`sheaf: not ready: ${error.causes?.join('; ') ?? error.message}\n`);
  });
}

const ownScripts = new Set(['start', 'sheaf', 'npx']);

/**
 * Stops the server when its parent process ends. npm runs scripts in a shell that does not forward signals, so the
 * server would otherwise continue and occupy its port.
 */
function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  const timer = runEvery('looking for npm', 500, () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }).unref();
}
