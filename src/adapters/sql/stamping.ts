import { KeyTaken } from '../../ports/call-store.ts';
import type { Stamp } from '../../ports/stamp.ts';
import type { Sql } from './database.ts';

const claimKey = `INSERT INTO idempotency (user_id, key, operation, fingerprint, answer, at) VALUES (?, ?, ?, ?, NULL, ?)
  ON CONFLICT (user_id, key) DO NOTHING`;
const addAudit = 'INSERT INTO audit (at, user_id, key_id, operation, target, request_id) VALUES (?, ?, ?, ?, ?, ?)';

/** Runs a write's body together with what its stamp asks for: the key claimed first, the audit row last. */
export async function stamped<Result>(stamp: Stamp | null, tx: Sql, body: (tx: Sql) => Promise<Result>): Promise<Result> {
  if (!stamp || stamp.recorded) return body(tx);
  if (stamp.idempotencyKey !== undefined) {
    const claimed = await tx.run(claimKey, stamp.userId, stamp.idempotencyKey, stamp.operation, stamp.fingerprint ?? '', stamp.at);
    if (claimed === 0) throw new KeyTaken();
  }
  const result = await body(tx);
  await tx.run(addAudit, stamp.at, stamp.userId, stamp.keyId, stamp.operation, stamp.target ?? '', stamp.requestId);
  return result;
}
