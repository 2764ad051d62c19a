import type { Call } from './invoker.ts';
import type { AnyOperation } from './operation.ts';

/** Input fields that every write operation accepts. They describe the call and are not passed to the operation. */
export const commonFields = ['idempotency_key', 'reason'] as const;

/**
 * Moves the fields that every operation accepts (`idempotency_key` and, for writes, `reason`) from the input to the
 * call. An Idempotency-Key from the request header takes precedence. A field of the wrong type stays in the input, so
 * that the operation refuses it.
 */
export function takeCommonFields<Given extends Partial<Call>>(
  operation: AnyOperation,
  raw: unknown,
  call: Given,
): { raw: unknown; call: Given } {
  if (typeof raw !== 'object' || raw === null) return { raw, call };
  const hasKey = Object.hasOwn(raw, 'idempotency_key');
  const hasReason = operation.effect !== 'read' && Object.hasOwn(raw, 'reason');
  if (!hasKey && !hasReason) return { raw, call };
  const rest = { ...(raw as Record<string, unknown>) };
  const taken: { idempotencyKey?: string; reason?: string } = {};
  const { idempotency_key: key, reason } = rest;
  if (hasKey && (typeof key === 'string' || key === null)) delete rest['idempotency_key'];
  if (hasReason && (typeof reason === 'string' || reason === null)) delete rest['reason'];
  if (typeof key === 'string' && call.idempotencyKey === undefined) taken.idempotencyKey = key;
  if (hasReason && typeof reason === 'string' && reason.trim() !== '') taken.reason = reason.trim();
  return { raw: rest, call: { ...call, ...taken } };
}
