/** Somebody who listens: a real HTTP server that keeps what it got. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How the next requests are answered; 204 when nothing is left. */
  readonly answers: { status: number; location?: string }[];
  /** Waits until something that was received is so. */
  until(is: (one: Received) => boolean): Promise<Received>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver['answers'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      received.push({ path: request.url!, headers: request.headers, text, body: text === '' ? {} : JSON.parse(text) });
      const { status, location } = answers.shift() ?? { status: 204 };
      response.writeHead(status, location === undefined ? {} : { location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    async until(is) {
      for (let looks = 0; looks < 1200; looks++) {
        const found = received.find(is);
        if (found) return found;
        await sleep(25);
      }
      throw new Error(`not received; this was: ${JSON.stringify(received.map(({ body }) => body))}`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function signatureOf(secret: string, { headers, text }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
