import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { runEvery, runInBackground, runDelayed } from '../../lib/background-tasks.ts';
import { accessTopic, mayConcern } from '../../kernel/access-changes.ts';
import { fail } from '../../kernel/errors.ts';
import { basePath, type Module, type SubscriptionResolver, type Subscription } from '../../kernel/module.ts';
import { EventStreamLimits } from '../event-stream-limits.ts';
import { sendAnswer, statusOf } from './answer.ts';
import { authenticateCaller } from './authenticate.ts';
import { openEventStream, writeDataEvent } from './event-stream.ts';
import { queryParameter } from './request.ts';

const heartbeatMs = 10_000;
const maxBuffered = 1000;
/**
 * Period in milliseconds over which the current state is sent again to all clients after events were lost. Sending is
 * spread over this period, so that clients do not all request data at the same time.
 */
const spreadMs = 1000;
const maxTimerLength = 2 ** 31 - 1;

/**
 * Adds for each module with live updates an endpoint that sends them as server-sent events, one JSON object each. An
 * event only names the data to read again, so losing one does no harm.
 *
 * A client that loses access is disconnected at once, or at the next heartbeat if the event about the change of access
 * is lost. If this node loses the connection over which it gets events from other nodes, every client gets the current
 * state again.
 */
export function addLiveUpdateEndpoints(server: FastifyInstance, app: App, stopping: AbortSignal): void {
  for (const module of app.registry.modules) if (module.watch) addStream(server, app, stopping, module, module.watch);
}

interface EventStreamClient extends Subscription {
  userId: string;
  /** Expiry of the caller's key or session; null or undefined if it never expires. */
  until: number | null | undefined;
}

function addStream(
  server: FastifyInstance,
  app: App,
  stopping: AbortSignal,
  module: Module,
  watch: SubscriptionResolver,
): void {
  server.get(`${basePath(module)}/events`, async (request, reply) => {
    const check = async (): Promise<EventStreamClient> => {
      const caller = await authenticateCaller(app, request.raw, { bearerKeys: true });
      if (!caller.modules.includes('*') && !caller.modules.includes(module.name))
        throw fail('no_permission', `this key has no access to ${module.name}`);
      return {
        ...(await watch({ caller, services: app.services, query: (name) => queryParameter(request, name) })),
        userId: caller.userId,
        until: caller.expiresAt,
      };
    };
    try {
      let listener = await check();
      const ready = app.services.events.ready([listener.topic, ...(listener.also ?? [])]);
      if (ready) {
        await ready;
        // Check access and load the current state again, because both may have changed before this node began to
        // receive events.
        listener = await check();
      }
      const leave = EventStreamLimits.of(app).open(listener.userId);
      if (reply.raw.destroyed) leave();
      else reply.raw.once('close', leave);
      return stream(app, request, reply, stopping, listener, check);
    } catch (error) {
      const answer = app.invoker.toErrorAnswer(module, error, request.id);
      // Refuse with an error status even if the operation reports this error with status 200, because EventSource
      // clients see only the status.
      const status = statusOf(answer);
      return sendAnswer(reply, status === 200 ? 403 : status, { ...answer, data: {} });
    }
  });
}

function stream(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  stopping: AbortSignal,
  listener: EventStreamClient,
  check: () => Promise<EventStreamClient>,
): FastifyReply {
  const out = openEventStream(reply);
  const { events, clock } = app.services;
  // Sends an event to the client. `writeDataEvent` disconnects a client that is too slow; the client gets the current state
  // when it reconnects.
  const tell = (data: unknown): void => writeDataEvent(out, data as object);
  tell(listener.first);
  // Number of running access checks. While it is above zero, events are buffered in `held`.
  let checks = 0;
  let held: unknown[] = [];
  const look = async (gap?: { isReset: boolean }): Promise<void> => {
    checks++;
    try {
      const { first } = await check();
      if (gap) held.push(gap.isReset ? { ...(first as object), reset: true } : first);
    } catch {
      return end();
    }
    if (--checks > 0) return;
    for (const data of held) tell(data);
    held = [];
    out.write(': still here\n\n');
  };
  const hear = (data: unknown, topic: string): void => {
    if (listener.concerns?.(data, topic) === false) return;
    if (checks === 0) tell(data);
    else if (held.length < maxBuffered) held.push(data);
  };
  const unsubscribes = [listener.topic, ...(listener.also ?? [])].map((topic) =>
    events.subscribe(topic, (data) => hear(data, topic)),
  );
  const unsubscribeAccess = events.subscribe(accessTopic, (data) => {
    if (mayConcern(data, listener.userId, [listener.topic, ...(listener.also ?? [])]))
      runInBackground('looking whether a listener may still hear', look);
  });
  let again: NodeJS.Timeout | undefined;
  let wasReset = false;
  const unsubscribeGap = events.onGap((isReset) => {
    clearTimeout(again);
    wasReset ||= isReset;
    again = runDelayed('telling a listener anew', Math.random() * spreadMs, () => {
      const gap = { isReset: wasReset };
      wasReset = false;
      return look(gap);
    }).unref();
  });
  const heartbeat = runEvery('the heartbeat of an event stream', heartbeatMs, look).unref();
  const left = listener.until ? listener.until - clock.now() : Number.POSITIVE_INFINITY;
  const expiry =
    left < maxTimerLength
      ? runDelayed('the end of a key that listens', Math.max(0, left) + 1, look).unref()
      : undefined;
  const end = (): void => {
    clearInterval(heartbeat);
    clearTimeout(expiry);
    clearTimeout(again);
    unsubscribeGap();
    for (const unsubscribe of unsubscribes) unsubscribe();
    unsubscribeAccess();
    stopping.removeEventListener('abort', end);
    out.end();
  };
  stopping.addEventListener('abort', end);
  request.raw.on('close', end);
  // The server may have begun to stop while access was being checked.
  if (stopping.aborted) end();
  return reply;
}
