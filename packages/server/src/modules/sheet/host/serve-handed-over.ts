import { LeaseLost, type DocumentLease } from '../../../ports/document-leases.ts';
import {
  decodeCalls,
  toFailedOutcome,
  toOutcome,
  type AnswerPart,
  type HandedOverCall,
  type HandedOverOutcome,
} from './handed-over-call.ts';
import type { QueuedCall } from './queued-call.ts';

interface Host {
  /**
   * Returns this node's lease of a document and records that the node `user` uses the document. Returns undefined if
   * this node has no lease.
   */
  leaseOf(file: string, user: string): DocumentLease | undefined;
  /** Runs a call on this node, without forwarding it to another node. */
  run(file: string, call: QueuedCall): void;
  isClosed(): boolean;
}

/**
 * Runs calls that another node forwards, in the order in which that node sent them. Yields the answer of each call as
 * soon as the call ends. Refuses all calls if this node does not hold the document.
 */
export async function* serveHandedOver(bytes: Uint8Array, host: Host): AsyncGenerator<AnswerPart> {
  const { file, from, calls } = decodeCalls(bytes);
  const lease = host.leaseOf(file, from);
  if (!lease) {
    yield { isRefused: true };
    return;
  }
  let ended: [number, HandedOverOutcome][] = [];
  let progress: [number, { done: number; total?: number; message?: string }][] = [];
  let wake = (): void => undefined;
  for (const [index, call] of calls.entries()) {
    const end = (outcome: HandedOverOutcome): void => {
      ended.push([index, outcome]);
      wake();
    };
    const queued = toQueued(call, lease, {
      resolve: (result) => end(toOutcome(result)),
      // A node that is stopping reports its failed calls as a lost lease, so that the sending node runs them elsewhere.
      reject: (error) => end(toFailedOutcome(host.isClosed() ? new LeaseLost(lease.resource) : error)),
      progress(step) {
        progress.push([index, step]);
        wake();
      },
    });
    host.run(file, queued);
  }
  for (let open = calls.length; open > 0;) {
    if (ended.length + progress.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const part = { ended, progress };
    [ended, progress] = [[], []];
    open -= part.ended.length;
    yield part;
  }
}

function toQueued(
  { tool, input, stamp, isKeyMade, isSecret, isOwner, isAtPage, atLeast, isCurrent, wantsProgress }: HandedOverCall,
  lease: DocumentLease,
  { progress, resolve, reject }: Required<Pick<QueuedCall, 'resolve' | 'reject' | 'progress'>>,
): QueuedCall {
  return {
    tool,
    input,
    stamp: { ...stamp },
    stored: stamp.idempotencyKey === undefined ? undefined : { isSecret: isSecret === true },
    isOwner,
    isAtPage,
    atLeast,
    isCurrent,
    need: stamp.idempotencyKey === undefined ? 'viewer' : 'editor',
    lease,
    isKeyMade,
    progress: wantsProgress ? progress : undefined,
    resolve,
    reject,
    retries: 0,
  };
}
