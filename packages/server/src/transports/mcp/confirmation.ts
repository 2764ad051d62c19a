import type { Caller, Services } from '../../context.ts';
import { sha256 } from '../../lib/hash.ts';
import { firstLine, toolName } from '../../kernel/describe-operation.ts';
import type { OperationEntry } from '../../kernel/module.ts';
import type { RequestMeta } from './request-meta.ts';
import { rpcErrorCodes, isObject, RpcError } from './json-rpc.ts';

/**
 * Time in milliseconds for which the user can answer a confirmation question.
 *
 * If the client supports elicitation (questions to the user by MCP), the first attempt of a destructive call returns a
 * question, and the client repeats the call with the user's answer. Encrypted state, which the client sends back, ties
 * the answer to one user and one call. Nothing is stored, so any server process can handle the answer.
 */
const answerMs = 600_000;
const maxShownLength = 500;
const field = 'confirm';

export type Verdict = 'run' | 'ask' | 'declined';

/**
 * Returns whether the client can show forms to the user (MCP elicitation) and uses a protocol version in which a tool
 * result can request this. A client that declares elicitation without a mode supports forms.
 */
export function supportsElicitation({ modern, capabilities }: RequestMeta): boolean {
  const { elicitation } = capabilities;
  return modern && isObject(elicitation) && (Object.keys(elicitation).length === 0 || isObject(elicitation['form']));
}

export function confirmationRequest(
  services: Services,
  entry: OperationEntry,
  input: unknown,
  caller: Caller,
): Record<string, unknown> {
  const shown = JSON.stringify(input);
  const short = shown.length > maxShownLength ? `${shown.slice(0, maxShownLength)}...` : shown;
  return {
    resultType: 'input_required',
    inputRequests: {
      [field]: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: `${toolName(entry)}: ${firstLine(entry.operation.summary)}\n${short}`,
          requestedSchema: {
            type: 'object',
            properties: { [field]: { type: 'boolean', title: 'Do this', description: 'Whether to go ahead.' } },
            required: [field],
          },
        },
      },
    },
    requestState: services.sealer.seal(
      JSON.stringify({ ...subjectOf(entry, input, caller), until: services.clock.now() + answerMs }),
    ),
  };
}

/**
 * Returns the user's answer to the confirmation question: `run` or `declined`. Returns `ask` if the call contains no
 * valid answer, so that the user must be asked. Throws if the answer belongs to another call.
 */
export function readVerdict(
  services: Services,
  entry: OperationEntry,
  input: unknown,
  caller: Caller,
  { inputResponses, requestState }: Readonly<Record<string, unknown>>,
): Verdict {
  if (requestState === undefined) return 'ask';
  const opened = typeof requestState === 'string' ? services.sealer.unseal(requestState) : undefined;
  const { until, ...subject } = (opened === undefined ? {} : JSON.parse(opened)) as Record<string, unknown>;
  if (JSON.stringify(subject) !== JSON.stringify(subjectOf(entry, input, caller)))
    throw new RpcError(rpcErrorCodes.invalidParams, 'requestState: does not belong to this call');
  const said = isObject(inputResponses) ? inputResponses[field] : undefined;
  if (!isObject(said) || typeof until !== 'number' || until < services.clock.now()) return 'ask';
  if (said['action'] !== 'accept') return 'declined';
  const { [field]: isConfirmed } = isObject(said['content']) ? said['content'] : {};
  if (typeof isConfirmed !== 'boolean') return 'ask';
  return isConfirmed ? 'run' : 'declined';
}

function subjectOf(entry: OperationEntry, input: unknown, caller: Caller): Record<string, unknown> {
  return { user: caller.userId, call: entry.name, input: sha256(JSON.stringify(input)) };
}
