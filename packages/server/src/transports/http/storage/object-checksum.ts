import type { CompletionWatch } from '../../../ports/blob-store.ts';
import { algorithms, checksumElement, checksumHeader, newSum, type Algorithm, type Sum } from './checksums.ts';
import type { ListedPart } from './part-list.ts';
import { badRequest } from './storage-error.ts';
import { header, type StorageRequest } from './storage-request.ts';

type Type = 'FULL_OBJECT' | 'COMPOSITE';

interface Claim {
  algorithm: Algorithm;
  /** Undefined when the client left it open: a checksum without `-N` may then be of either type. */
  type: Type | undefined;
  /** Undefined when only the parts came with theirs. */
  value: string | undefined;
}

/**
 * Compares what the client says of an object made of parts with the bytes themselves, on their way into the object: the
 * checksum of all of them (FULL_OBJECT) or of the parts' checksums, with `-N` for the number of parts (COMPOSITE), and
 * those of the parts where they are listed.
 */
export class ObjectChecksum implements CompletionWatch {
  readonly #claim: Claim;
  readonly #parts: readonly ListedPart[];
  readonly #whole: Sum | undefined;
  readonly #composite: Sum;
  #part: Sum;
  #at = 0;
  #answer: Record<string, string> = {};

  private constructor(claim: Claim, parts: readonly ListedPart[]) {
    this.#claim = claim;
    this.#parts = parts;
    this.#whole = claim.type === 'COMPOSITE' ? undefined : newSum(claim.algorithm);
    this.#composite = newSum(claim.algorithm);
    this.#part = newSum(claim.algorithm);
  }

  /** Undefined when the client claims nothing that could be compared. */
  static of(request: StorageRequest, parts: readonly ListedPart[]): ObjectChecksum | undefined {
    const claim = claimOf(request, parts);
    return claim && new ObjectChecksum(claim, parts);
  }

  chunk(part: number, bytes: Uint8Array): void {
    while (this.#parts[this.#at]!.part !== part) this.#endPart();
    this.#whole?.update(bytes);
    this.#part.update(bytes);
  }

  #endPart(): void {
    const { algorithm } = this.#claim;
    const { part, checksums } = this.#parts[this.#at++]!;
    const digest = this.#part.digest();
    const listed = checksums[algorithm];
    if (listed !== undefined && listed !== digest.toString('base64'))
      throw badRequest(
        'InvalidPart',
        `part ${part} does not have the ${checksumElement(algorithm)} that is listed with it (${listed.slice(0, 100)})`,
      );
    this.#composite.update(digest);
    this.#part = newSum(algorithm);
  }

  end(): void {
    while (this.#at < this.#parts.length) this.#endPart();
    const { algorithm, type, value } = this.#claim;
    const composite = `${this.#composite.digest().toString('base64')}-${this.#parts.length}`;
    const found: [Type, string][] = [['COMPOSITE', composite]];
    if (this.#whole) found.unshift(['FULL_OBJECT', this.#whole.digest().toString('base64')]);
    const match = found.find(
      ([kind, sum]) => (type ?? kind) === kind && (value === undefined || isSame(kind, sum, value)),
    );
    if (!match)
      throw badRequest(
        'BadDigest',
        `the object made of these parts does not have the ${checksumHeader(algorithm)} that was sent (${value?.slice(0, 100)})`,
      );
    this.#answer = { [checksumElement(algorithm)]: match[1], ChecksumType: match[0] };
  }

  /** What storage says of it in its answer; only after the end. */
  answer(): Record<string, string> {
    return this.#answer;
  }
}

/** Clients send a composite checksum with the number of its parts or without it. */
function isSame(type: Type, sum: string, value: string): boolean {
  return value === sum || (type === 'COMPOSITE' && value === sum.slice(0, sum.lastIndexOf('-')));
}

function claimOf(request: StorageRequest, parts: readonly ListedPart[]): Claim | undefined {
  const said = header(request, 'x-amz-checksum-type')?.toUpperCase();
  if (said !== undefined && said !== 'FULL_OBJECT' && said !== 'COMPOSITE')
    throw badRequest(
      'InvalidRequest',
      `x-amz-checksum-type must be FULL_OBJECT or COMPOSITE, not ${said.slice(0, 100)}`,
    );
  const sent = algorithms.filter((algorithm) => header(request, checksumHeader(algorithm)) !== undefined);
  if (sent.length > 1)
    throw badRequest(
      'InvalidRequest',
      `one checksum of the object may be sent, not ${sent.length} (${sent.map(checksumHeader).join(', ')})`,
    );
  const algorithm = sent[0] ?? algorithms.find((each) => parts.some((part) => part.checksums[each] !== undefined));
  if (algorithm === undefined) return undefined;
  const value = header(request, checksumHeader(algorithm));
  if (value !== undefined) return { algorithm, value, type: said ?? (/-\d+$/.test(value) ? 'COMPOSITE' : undefined) };
  // As S3 has it where a client does not choose: this one is of the whole, the others of the parts.
  return { algorithm, value, type: said ?? (algorithm === 'crc64nvme' ? 'FULL_OBJECT' : 'COMPOSITE') };
}
