import type { App } from '../../app.ts';
import { fail, Failure } from '../../kernel/errors.ts';
import { takeCommonFields } from '../../kernel/common-fields.ts';
import type { Call } from '../../kernel/invoker.ts';
import { ignoresUnknownFields, type OperationEntry, type Module } from '../../kernel/module.ts';
import { findUnknownFields } from '../../kernel/unknown-fields.ts';
import { refuseNulYielding } from '../nul-check.ts';
import { supportsElicitation, confirmationRequest, readVerdict } from './confirmation.ts';
import { ConnectorCalls, isConnectorTool, type ConnectorTool } from './connector-tools.ts';
import { findTools, isMetaTool, resolveTarget, type MetaTool } from './meta-tools.ts';
import type { RequestMeta } from './request-meta.ts';
import { Resources } from './resources.ts';
import { formatResult } from './result-format.ts';
import { rpcErrorCodes, RpcError } from './json-rpc.ts';
import { DeferrableCall, supportsTasks } from './tasks.ts';
import { dataResult, loadImage, toolResult } from './tool-result.ts';

type Result = Record<string, unknown>;
type CommonFields = Pick<Call, 'idempotencyKey' | 'reason'>;

/** Maximum number of unknown, ignored input fields that a tool result lists. */
const maxIgnored = 10;

interface ToolCallOptions {
  readonly call: Call;
  readonly meta: RequestMeta;
  /**
   * False if no string of the message contains the character NUL (U+0000), so that the input need not be searched for
   * it.
   */
  readonly holdsNul: boolean;
  /** Whether destructive calls need the user's confirmation, if the client can ask. */
  readonly confirms: boolean;
  /** Called with the OAuth scope that a refused call requires. */
  readonly lacks: (scope: string) => void;
}

/**
 * Handles the MCP method `tools/call` for the operations of the API, for the meta tools such as `find_tools`, and for
 * `search` and `fetch`, which ChatGPT requires.
 */
export class ToolCalls {
  readonly #app: App;
  readonly #options: ToolCallOptions;

  constructor(app: App, options: ToolCallOptions) {
    this.#app = app;
    this.#options = options;
  }

  run(params: Result): Promise<Result> {
    const name = params['name'];
    if (typeof name !== 'string')
      throw new RpcError(rpcErrorCodes.invalidParams, 'params.name must be the name of a tool');
    const given = params['arguments'] ?? {};
    const asked = { inputResponses: params['inputResponses'], requestState: params['requestState'] };
    if (isMetaTool(name)) return this.#meta(name, given, asked);
    if (isConnectorTool(name)) return this.#connector(name, given);
    const entry = this.#app.registry.find(name);
    if (!entry) {
      this.#app.invoker.enforceRateLimit(this.#options.call.caller);
      const refused = this.#app.registry.findUnsupported(name);
      if (refused) return Promise.resolve(this.#refused(refused.module, fail('unknown_operation', refused.why)));
      throw new RpcError(rpcErrorCodes.invalidParams, `tool not found: ${name.slice(0, 100)}`);
    }
    return this.#entry(entry, given, asked);
  }

  /**
   * Handles a call of a meta tool, which finds operations (`find_tools`) or calls an operation that is not listed as a
   * tool. The operation is called as in a direct call, with the same rate limit, permissions and audit record.
   */
  #meta(tool: MetaTool, given: unknown, asked: Result): Promise<Result> {
    const { registry, invoker } = this.#app;
    const { caller, requestId } = this.#options.call;
    try {
      if (tool === 'find_tools') {
        invoker.enforceRateLimit(caller);
        const callable = registry.entries().filter((entry) => invoker.mayCall(entry, caller));
        return Promise.resolve(dataResult(findTools(callable, given)));
      }
      const { entry, input } = resolveTarget(registry, tool, given);
      return this.#entry(entry, input, asked);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.word !== 'rate_limited') invoker.enforceRateLimit(caller);
      return Promise.resolve(toolResult(invoker.toErrorAnswer(registry.serverModule, error, requestId)));
    }
  }

  /**
   * Handles a call of the tools `search` and `fetch`, which ChatGPT requires. They call operations with the caller's
   * rights.
   */
  async #connector(tool: ConnectorTool, given: unknown): Promise<Result> {
    const { call } = this.#options;
    const { registry, invoker, publicUrl } = this.#app;
    try {
      const reach = new Resources(this.#app, call).contextFor();
      return dataResult(await new ConnectorCalls(registry.modules, reach, publicUrl.url).run(tool, given));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return toolResult(invoker.toErrorAnswer(registry.serverModule, error, call.requestId));
    }
  }

  #entry(entry: OperationEntry, given: unknown, asked: Result): Promise<Result> {
    const { call, meta, holdsNul, confirms } = this.#options;
    const { invoker, services } = this.#app;
    const { raw: input, call: common } = takeCommonFields<CommonFields>(entry.operation, given, {});
    if (
      confirms &&
      entry.operation.effect === 'destroy' &&
      supportsElicitation(meta) &&
      invoker.mayCall(entry, call.caller)
    ) {
      const verdict = readVerdict(services, entry, given, call.caller, asked);
      if (verdict !== 'run') invoker.enforceRateLimit(call.caller);
      if (verdict === 'ask') return Promise.resolve(confirmationRequest(services, entry, given, call.caller));
      if (verdict === 'declined') return Promise.resolve(this.#refused(entry.module, declined));
    }
    if (!holdsNul) return this.#invoke(entry, input, common);
    return refuseNulYielding(input).then(
      () => this.#invoke(entry, input, common),
      (error: unknown) => this.#refused(entry.module, error),
    );
  }

  #invoke(entry: OperationEntry, input: unknown, common: CommonFields): Promise<Result> {
    const { call, meta, lacks } = this.#options;
    // Find unknown fields before the call, because the input is not kept in memory while the call runs.
    const ignored = ignoresUnknownFields(entry) ? findUnknownFields(entry.operation.input, input, maxIgnored) : [];
    const deferrable =
      entry.operation.isLong && supportsTasks(meta) ? new DeferrableCall(this.#app, entry.name, call) : undefined;
    const running = this.#app.invoker
      .invoke(entry, input, { ...(deferrable?.call ?? call), ...common })
      .then(async (answer) => {
        if (answer.scope !== undefined) lacks(answer.scope);
        return toolResult(answer, { ignored, links: meta.takesLinks, image: await loadImage(answer) });
      });
    return deferrable ? deferrable.answer(running, (result) => formatResult(meta, result)) : running;
  }

  #refused(module: Module, error: unknown): Result {
    return toolResult(this.#app.invoker.toErrorAnswer(module, error, this.#options.call.requestId));
  }
}

const declined = fail('no_permission', 'the user did not confirm the call; nothing was changed');
