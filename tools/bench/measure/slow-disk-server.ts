import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { createApp } from '@sheaf/server/app.ts';
import { readConfig } from '@sheaf/server/config.ts';
import { ensureInitialOwner } from '@sheaf/server/initial-owner.ts';
import { createHttpServer } from '@sheaf/server/transports/http/server.ts';

/** Runs a server with 5 ms of extra delay per disk sync; runs in its own process. */
export async function serveOnSlowDisk(): Promise<void> {
  const sync = async (walFd: number): Promise<void> => {
    await promisify(fdatasync)(walFd);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const app = await createApp(readConfig(process.env), { sqlite: { sync } });
  const http = createHttpServer(app);
  const url = await http.listen();
  await ensureInitialOwner(app, url);
  process.on(
    'SIGTERM',
    () =>
      void http
        .close()
        .then(() => app.close())
        .then(() => process.exit(0)),
  );
  process.stdout.write(`ready at ${url}\n`);
  await new Promise(() => undefined);
}
