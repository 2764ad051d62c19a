import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { systemStamp } from '../../ports/stamp.ts';
import { credentialsOf } from './credentials.ts';
import { refuseForeignSite } from './same-site.ts';

const heartbeatMs = 10_000;

/**
 * Every committed revision of a document as server-sent events: `data: {"version","user_id","tool","at"}`. Who loses access
 * meanwhile is cut off at the next heartbeat. An event may be missed; the version in the next one tells.
 */
export function addEvents(server: FastifyInstance, app: App, stopping: AbortSignal): void {
  server.get('/openapi/sheet/v1/events', async (request, reply) => {
    const sheet = app.registry.module('sheet')!;
    const { file_id: fileId = '' } = request.query as { file_id?: string };
    const check = async (): Promise<number> => {
      const caller = await app.authenticator.caller(credentialsOf(request.headers, app.config.SHEAF_HEADER_PREFIXES, request.ip, true));
      if (caller.via === 'session') refuseForeignSite(app, request);
      const stamp = systemStamp(app.services.clock.now(), 'sheet.events', caller.userId);
      const { document } = await app.services.documents.access({ caller, stamp, reply: {} }, fileId, 'viewer');
      return document.version;
    };
    let version: number;
    try {
      version = await check();
    } catch (error) {
      const answer = app.invoker.failure(sheet, error, request.id);
      return reply.code(answer.word === 'unauthenticated' ? 401 : answer.word === 'rate_limited' ? 429 : answer.word === 'internal' ? 500 : 403).send({ code: answer.code, msg: answer.msg, data: {} });
    }
    reply.hijack();
    const out = reply.raw;
    out.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no', 'x-request-id': request.id });
    const tell = (data: unknown): void => void out.write(`data: ${JSON.stringify(data)}\n\n`);
    tell({ version });
    const unsubscribe = app.services.events.subscribe(`sheet:${fileId}`, tell);
    const heartbeat = setInterval(() => {
      check().then(
        () => out.write(': still here\n\n'),
        () => end(),
      );
    }, heartbeatMs).unref();
    const end = (): void => {
      clearInterval(heartbeat);
      unsubscribe();
      stopping.removeEventListener('abort', end);
      out.end();
    };
    stopping.addEventListener('abort', end);
    request.raw.on('close', end);
    return reply;
  });
}
