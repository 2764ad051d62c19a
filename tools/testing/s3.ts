/**
 * Starts an S3-compatible server as a child process, on a free port and in a temporary folder.
 *
 *     const s3 = await startS3();           // { endpoint, bucket, region, accessKey, secretKey, folder, stop }
 *     afterAll(() => s3.stop());
 *
 * The server also ends when its parent process ends.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

const script = fileURLToPath(new URL('./s3-server.mjs', import.meta.url));

export interface TestS3 {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Folder in which the S3 server stores the uploaded files. */
  folder: string;
  stop(): Promise<void>;
}

/** Starts a new S3 server. If `stopped` is given, restarts that server on the same port with the same stored files. */
export async function startS3(stopped?: TestS3): Promise<TestS3> {
  const folder = stopped?.folder ?? (await temporaryFolder());
  const bucket = 'sheaf';
  const sameAs = stopped ? [new URL(stopped.endpoint).port] : [];
  const child = fork(script, [folder, bucket, ...sameAs], {
    execArgv: ['--no-deprecation'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', (code) => reject(new Error(`the S3 server ended with ${code}`)));
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: 'us-east-1',
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
    folder,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.once('exit', () => resolve());
        if (child.connected) child.disconnect();
        else resolve();
      }),
  };
}
