import type { DocumentValidation } from '../../../ports/spreadsheet-service.ts';
import { isFailure, rebuild, type Revision, encodeSnapshot } from '@sheaf/engine/internal/document';
import type { Mutation } from '@sheaf/engine/internal/mutations';
import type { LoggedRevision, WorkerRequest } from './protocol.ts';
import { toSerialDate } from './serial-date.ts';

type Request = Extract<WorkerRequest, { do: 'validate' }>;

const damaged = 1;
const differs = 2;

/**
 * Rebuilds the document from its snapshot and log in stages, and compares it with the document in memory. Reports the
 * first stage that fails.
 */
export function validateDocument(request: Request): DocumentValidation {
  const { served } = request;
  const result = (
    ret_code: number,
    stage: DocumentValidation['stage'],
    failed_mutation_type: number,
    err_msg: string,
  ): DocumentValidation => ({
    is_valid: ret_code === 0,
    checked_version: request.target,
    ret_code,
    stage,
    failed_mutation_type,
    err_msg,
  });
  let revisions: Revision[];
  try {
    revisions = request.revisions.map(readRevision);
  } catch (error) {
    return result(damaged, 'RebuildWorkbook.revisions', 0, (error as Error).message);
  }
  const from = request.snapshot ? { version: request.version, bytes: request.snapshot } : undefined;
  const rebuilt = rebuild({ snapshot: from, revisions: revisions.filter((one) => one.version > (from?.version ?? 0)) });
  if (isFailure(rebuilt)) return result(damaged, rebuilt.stage, rebuilt.mutationType, rebuilt.message);
  if (rebuilt.version !== request.target)
    return result(
      damaged,
      'RebuildWorkbook.revisions',
      0,
      `the log ends at version ${rebuilt.version}, version ${request.target} is missing`,
    );
  if (
    served &&
    served.version === request.target &&
    !Buffer.from(encodeSnapshot(rebuilt.document)).equals(served.bytes)
  ) {
    return result(
      differs,
      'ApplyNewRevisions',
      0,
      'the document rebuilt from its log differs from the one that is served',
    );
  }
  return result(0, '', 0, '');
}

function readRevision({ version, at, seed, mutations }: LoggedRevision): Revision {
  let parsed: unknown;
  try {
    parsed = JSON.parse(mutations);
  } catch (error) {
    throw new Error(`revision ${version} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(parsed)) throw new Error(`revision ${version} is not a list of mutations`);
  return { version, mutations: parsed as Mutation[], now: toSerialDate(at), seed };
}
