import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import { takeCommonFields } from '../../kernel/common-fields.ts';
import { fail } from '../../kernel/errors.ts';
import type { Answer } from '../../kernel/invoker.ts';
import { basePath, type Module } from '../../kernel/module.ts';
import { parseBySchema } from '../../kernel/parse-input.ts';
import { RawJson } from '../../kernel/raw-json.ts';
import { failureBody, statusOf } from './answer.ts';
import { authenticateCaller } from './authenticate.ts';
import { isJson, notJsonMessage, parseJsonBody } from './json-body.ts';
import { readBody } from './request-body.ts';

const maxCalls = 100;
const bodyLimit = 2 ** 20;
/**
 * Errors after which the client can retry a call. A batch stops at such an error, so that later calls are not executed
 * before the retry.
 */
const transientErrors = new Set(['busy', 'internal', 'rate_limited']);

const batchCallsSchema = z.object({
  calls: z
    .array(
      z.object({
        operation: z.string().min(1).max(64),
        arguments: z.record(z.string(), z.unknown()),
        idempotency_key: z.string().optional(),
      }),
    )
    .min(1)
    .max(maxCalls),
});

/**
 * Adds the endpoint for several writes in one request, `POST /openapi/<module>/v1/calls`. The calls run in order, each
 * with its own answer and idempotency key. A refused call does not stop the batch. A transient error stops it, and its
 * answer is the last.
 */
export function addBatchCalls(server: FastifyInstance, app: App, stopping: AbortSignal): void {
  for (const module of app.registry.modules) if (module.batchCalls) addRoute(server, app, stopping, module);
}

function addRoute(server: FastifyInstance, app: App, stopping: AbortSignal, module: Module): void {
  server.post(`${basePath(module)}/calls`, async (request, reply) => {
    // Authenticate before reading the body, so that only callers with a key can make the server buffer a body.
    const caller = await authenticateCaller(app, request.raw, module);
    const bytes = await readBody(request, { limit: bodyLimit });
    if (!isJson(request.headers['content-type'])) throw fail('invalid_parameter', notJsonMessage(request));
    const { calls } = parseBySchema(batchCallsSchema, await parseJsonBody(bytes));
    const answers: object[] = [];
    for (const one of calls) {
      const answer = await callOne(app, module, one, caller, request.id, stopping);
      answers.push(toBatchAnswer(answer, request.id));
      if (transientErrors.has(answer.word)) break;
    }
    return reply.send({ code: 0, msg: 'success', data: { answers } });
  });
}

async function callOne(
  app: App,
  module: Module,
  one: z.output<typeof batchCallsSchema>['calls'][number],
  caller: Caller,
  requestId: string,
  signal: AbortSignal,
): Promise<Answer> {
  const entry = app.registry.get(module.name, one.operation);
  const message = `there is no operation ${JSON.stringify(one.operation)} that writes in ${module.name}`;
  if (!entry || entry.operation.effect === 'read')
    return app.invoker.toErrorAnswer(module, fail('unknown_operation', message), requestId);
  const { raw, call } = takeCommonFields(entry.operation, one.arguments, {
    caller,
    requestId,
    signal,
    ...(one.idempotency_key === undefined ? {} : { idempotencyKey: one.idempotency_key }),
  });
  return app.invoker.invoke(entry, raw, call);
}

/**
 * Converts the answer of one call to an entry of the batch's answer. The HTTP status and the version header that a
 * single call would have become fields of the entry.
 */
function toBatchAnswer(answer: Answer, requestId: string): object {
  const { code, msg, data, version } = answer;
  const status = statusOf(answer);
  const plain = data instanceof RawJson ? (data.parse() as object) : data;
  if (code !== 0) return { status, ...failureBody(code, msg, requestId, plain) };
  return { status, code, msg, data: plain, ...(version === undefined ? {} : { version }) };
}
