/** Traces over OTLP/HTTP, sent to a receiver of the test's own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startServer, type ServerOptions, type TestServer } from '@sheaf/tools/testing/test-server.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code: number };
}

interface Received {
  readonly path: string;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

class Receiver {
  readonly requests: Received[] = [];
  url = '';
  status = 200;

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        receiver.requests.push({ path: request.url!, headers: { ...request.headers }, text });
        response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return receiver;
  }

  get spans(): SentSpan[] {
    return this.requests.flatMap(({ text }) =>
      (JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }).resourceSpans.flatMap(
        ({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  }

  ofTrace(traceId: string): SentSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }
}

async function traced(receiver: Receiver, options: ServerOptions = {}): Promise<TestServer> {
  const server = await startServer({ ...options, config: { SHEAF_OTLP_URL: `${receiver.url}/`, ...options.config } });
  onTestFinished(() => server.close());
  return server;
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const above = '00f067aa0ba902b7';

async function call(server: TestServer, path: string, input: object, flags = '01'): Promise<any> {
  const response = await fetch(`${server.url}/openapi/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${server.owner.apiKey}`,
      'svc-openapi-clientid': server.owner.clientId,
      'svc-openapi-apikey': server.owner.apiKey,
      traceparent: `00-${traceId}-${above}-${flags}`,
    },
    body: JSON.stringify(input),
  });
  return ((await response.json()) as { data: unknown }).data;
}

const valueOf = (span: SentSpan, name: string): string | undefined => {
  const found = span.attributes.find(({ key }) => key === name)?.value;
  return found?.stringValue ?? found?.intValue;
};

test.each(['sqlite', 'postgres'] as const)(
  '[finding Q21] a write on %s is a request, its operation, its round and its database write, in the trace of the caller',
  async (database) => {
    const receiver = await Receiver.start();
    const server = await traced(receiver, {
      database,
      config: { SHEAF_OTLP_HEADERS: 'Authorization=Basic%20abc,x-team=a' },
    });
    const file = await server.call('http', 'manage', 'create_file', { title: 'Traced' });
    const { file_id, sheet_id } = file.data as { file_id: string; sheet_id: string };
    const cell = { row: 0, col: 0, value_type: 'STRING', string_value: 'a secret text' };
    await call(server, 'sheet/v1/set_cell_value', { file_id, sheet_id, cell });
    await expect.poll(() => receiver.ofTrace(traceId).length).toBeGreaterThanOrEqual(4);
    const spans = receiver.ofTrace(traceId);
    const named = (name: string): SentSpan => spans.find((span) => span.name === name)!;
    const request = named('POST /openapi/sheet/v1/set_cell_value');
    const operation = named('sheet.set_cell_value');
    const round = named('document round');
    expect([request.parentSpanId, operation.parentSpanId]).toEqual([above, request.spanId]);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.has(round.parentSpanId!)).toBe(true);
    const writes = spans.filter(({ name }) => name === 'database write');
    expect(writes.some(({ parentSpanId }) => parentSpanId === round.spanId)).toBe(true);
    expect([request.kind, operation.kind, round.kind, writes[0]!.kind]).toEqual([2, 1, 1, 3]);
    expect([valueOf(request, 'http.response.status_code'), valueOf(operation, 'sheaf.code')]).toEqual(['200', '0']);
    expect(valueOf(round, 'sheaf.document')).toBe(file_id);
    expect(valueOf(writes[0]!, 'db.system')).toBe(database === 'postgres' ? 'postgresql' : 'sqlite');
    for (const { startTimeUnixNano: from, endTimeUnixNano: to, status } of spans) {
      expect(BigInt(to)).toBeGreaterThanOrEqual(BigInt(from));
      expect(Math.abs(Number(BigInt(from) / 1_000_000n) - Date.now())).toBeLessThan(120_000);
      expect(status.code).toBe(0);
    }
    const [{ path, headers, text }] = receiver.requests as [Received];
    expect([path, headers['content-type'], headers['authorization'], headers['x-team']]).toEqual([
      '/v1/traces',
      'application/json',
      'Basic abc',
      'a',
    ]);
    expect(text).toContain('{"key":"service.name","value":{"stringValue":"sheaf"}}');
    // Neither contents nor credentials are sent.
    const all = receiver.requests.map((one) => one.text).join('\n');
    expect([all.includes('a secret text'), all.includes(server.owner.apiKey)]).toEqual([false, false]);
  },
);

test('[finding Q21] a caller whose trace is not sampled is left out, and a path with a token is not told', async () => {
  const receiver = await Receiver.start();
  const server = await traced(receiver);
  await call(server, 'account/v1/get_me', {}, '00');
  await fetch(`${server.url}/p/a-secret-token`);
  await call(server, 'note/v1/import_doc', { content_format: 1, content: '# Kept' });
  await expect.poll(() => receiver.spans.some(({ name }) => name === 'note.import_doc')).toBe(true);
  expect(receiver.spans.some(({ name }) => name.includes('get_me'))).toBe(false);
  expect(receiver.requests.some(({ text }) => text.includes('a-secret-token'))).toBe(false);
});

test('[finding Q21] a receiver that refuses or is away costs spans, which are counted, and no call', async () => {
  const receiver = await Receiver.start();
  receiver.status = 503;
  const server = await traced(receiver);
  const dropped = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^sheaf_trace_spans_dropped (\S+)$/m.exec(text)?.[1]);
  };
  for (let n = 0; n < 20; n++)
    expect((await server.call('http', 'note', 'import_doc', { content_format: 1, content: `# ${n}` })).code).toBe(0);
  await expect.poll(dropped).toBeGreaterThan(0);
  receiver.status = 200;
  const before = receiver.requests.length;
  await server.call('http', 'account', 'get_me', {});
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(before);
});

test('[finding Q21] what is buffered is sent before the server has stopped', async () => {
  const receiver = await Receiver.start();
  const server = await startServer({ config: { SHEAF_OTLP_URL: receiver.url } });
  await call(server, 'account/v1/get_me', {});
  await server.close();
  expect(receiver.ofTrace(traceId).map(({ name }) => name)).toContain('account.get_me');
});

test('[finding Q21] the standard variables name the receiver, ours take precedence; without them nothing is traced', async () => {
  const standard = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' };
  const { SHEAF_OTLP_URL: url, SHEAF_OTLP_HEADERS: headers } = readConfig(standard);
  expect([url, headers]).toEqual(['http://127.0.0.1:4318', 'a=b']);
  expect(readConfig({ ...standard, SHEAF_OTLP_URL: 'http://127.0.0.1:1' }).SHEAF_OTLP_URL).toBe('http://127.0.0.1:1');
  expect(() => readConfig({ SHEAF_OTLP_HEADERS: 'secret' })).toThrow(
    'SHEAF_OTLP_HEADERS: must be name=value pairs, separated by commas, values percent-encoded (got others)',
  );
  const server = await startServer();
  onTestFinished(() => server.close());
  expect(server.app.tracer).toBeUndefined();
  expect(await (await fetch(`${server.url}/metrics`)).text()).not.toContain('sheaf_trace_spans_dropped');
});
