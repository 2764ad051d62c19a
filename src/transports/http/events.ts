import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { every } from '../../lib/background.ts';
import { fail } from '../../operation/errors.ts';
import { systemStamp } from '../../ports/stamp.ts';
import { statusOf } from './answer.ts';
import { clientAddress } from './client-address.ts';
import { credentialsOf } from './credentials.ts';
import { queryOf } from './query.ts';
import { refuseForeignSite } from './same-site.ts';

const heartbeatMs = 10_000;

interface Watched {
  topic: string;
  /** What the listener is told first. */
  first: unknown;
}

/**
 * News as server-sent events, one JSON object each. Who loses access meanwhile is cut off at the next heartbeat. An event
 * may be missed: it says what to look at again, never what is there.
 */
export function addEvents(server: FastifyInstance, app: App, stopping: AbortSignal): void {
  /** Every committed revision of a document: `{"version","user_id","key_id","tool","range","at"}`. */
  watch(server, app, stopping, 'sheet', async (caller, query) => {
    const fileId = query('file_id') ?? '';
    const stamp = systemStamp(app.services.clock.now(), 'sheet.events', caller.userId);
    const { document } = await app.services.documents.access({ caller, stamp, reply: {} }, fileId, 'viewer');
    return { topic: `sheet:${fileId}`, first: { version: document.version } };
  });
  /** Every change of a knowledge base: `{"user_id","key_id","operation","target"}`, and `"state"` when an item's changed. */
  watch(server, app, stopping, 'wiki', async (caller, query) => {
    const id = query('knowledge_base_id') ?? '';
    const base = /^[\w-]{1,80}$/.test(id) ? await app.services.wiki.bases.base(id, caller.userId) : undefined;
    if (!base) throw fail('no_permission', `knowledge_base_id: there is no knowledge base ${JSON.stringify(id)} that you may see`);
    return { topic: `wiki:${id}`, first: {} };
  });
  /** Every change of the caller's notes: `{"user_id","key_id","operation","target"}`. */
  watch(server, app, stopping, 'note', async (caller) => ({ topic: `note:${caller.userId}`, first: {} }));
}

type Find = (caller: Caller, query: (name: string) => string | undefined) => Promise<Watched>;

function watch(server: FastifyInstance, app: App, stopping: AbortSignal, moduleName: string, find: Find): void {
  const module = app.registry.module(moduleName);
  if (!module) return;
  server.get(`/openapi/${moduleName}/v1/events`, async (request, reply) => {
    const check = async (): Promise<Watched> => {
      const caller = await app.authenticator.caller(credentialsOf(request.headers, app.config.SHEAF_HEADER_PREFIXES, clientAddress(app, request.raw), true));
      if (caller.via === 'session') refuseForeignSite(app, request);
      if (!caller.modules.includes('*') && !caller.modules.includes(moduleName)) throw fail('no_permission', `this key is not good for ${moduleName}`);
      return find(caller, (name) => queryOf(request, name));
    };
    try {
      return stream(app, request, reply, stopping, await check(), check);
    } catch (error) {
      const answer = app.invoker.failure(module, error, request.id);
      if (answer.retryAfter !== undefined) reply.header('retry-after', String(answer.retryAfter));
      // An operation would answer with 200 and the code; whoever listens gets events or a status.
      const status = statusOf(answer);
      return reply.code(status === 200 ? 403 : status).send({ code: answer.code, msg: answer.msg, data: {} });
    }
  });
}

function stream(app: App, request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal, watched: Watched, check: () => Promise<unknown>): FastifyReply {
  reply.hijack();
  const out = reply.raw;
  out.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no', 'x-request-id': request.id });
  const tell = (data: unknown): void => void out.write(`data: ${JSON.stringify(data)}\n\n`);
  tell(watched.first);
  const unsubscribe = app.services.events.subscribe(watched.topic, tell);
  const beat = async (): Promise<void> => {
    try {
      await check();
      out.write(': still here\n\n');
    } catch {
      end();
    }
  };
  const heartbeat = every('the heartbeat of an event stream', heartbeatMs, beat).unref();
  const end = (): void => {
    clearInterval(heartbeat);
    unsubscribe();
    stopping.removeEventListener('abort', end);
    out.end();
  };
  stopping.addEventListener('abort', end);
  request.raw.on('close', end);
  return reply;
}
