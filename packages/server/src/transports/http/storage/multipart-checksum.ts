import type { CompletionObserver } from '../../../ports/blob-store.ts';
import {
  checksumAlgorithms,
  checksumElement,
  checksumHeader,
  createChecksum,
  type ChecksumAlgorithm,
  type Checksum,
} from './checksum-algorithms.ts';
import type { ListedPart } from './multipart-part-list.ts';
import { badRequest } from './s3-error.ts';
import { header, type S3Request } from './s3-request.ts';

type Type = 'FULL_OBJECT' | 'COMPOSITE';

interface Claim {
  algorithm: ChecksumAlgorithm;
  /**
   * Type of the checksum, from the client's header or from the ending `-N` of `value` (N is the number of parts).
   * Undefined if both are missing: the checksum can then have either type, because a composite checksum may omit the
   * ending.
   */
  type: Type | undefined;
  /** Checksum of the whole object. Undefined if the client sent only checksums of the parts. */
  value: string | undefined;
}

/**
 * Verifies the client's checksums of a multipart object while its bytes are assembled. A FULL_OBJECT checksum is
 * computed from the object's bytes. A COMPOSITE one is computed from the checksums of the N parts and followed by `-N`.
 *
 * Checksums of single parts are verified too if the client's part list contains them.
 */
export class MultipartChecksum implements CompletionObserver {
  readonly #claim: Claim;
  readonly #parts: readonly ListedPart[];
  readonly #whole: Checksum | undefined;
  readonly #composite: Checksum;
  #part: Checksum;
  #at = 0;
  #answer: Record<string, string> = {};

  private constructor(claim: Claim, parts: readonly ListedPart[]) {
    this.#claim = claim;
    this.#parts = parts;
    this.#whole = claim.type === 'COMPOSITE' ? undefined : createChecksum(claim.algorithm);
    this.#composite = createChecksum(claim.algorithm);
    this.#part = createChecksum(claim.algorithm);
  }

  /** Returns a verifier for the checksums that the client sent for a multipart upload, or undefined if it sent none. */
  static of(request: S3Request, parts: readonly ListedPart[]): MultipartChecksum | undefined {
    const claim = claimOf(request, parts);
    return claim && new MultipartChecksum(claim, parts);
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
    this.#part = createChecksum(algorithm);
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

  /**
   * Returns the XML elements of the answer that state the verified checksum. There are none before `end` was called.
   */
  answer(): Record<string, string> {
    return this.#answer;
  }
}

/**
 * Returns whether the client's checksum `value` equals the computed checksum `sum`. A composite one may omit the number
 * of parts at its end.
 */
function isSame(type: Type, sum: string, value: string): boolean {
  return value === sum || (type === 'COMPOSITE' && value === sum.slice(0, sum.lastIndexOf('-')));
}

function claimOf(request: S3Request, parts: readonly ListedPart[]): Claim | undefined {
  const said = header(request, 'x-amz-checksum-type')?.toUpperCase();
  if (said !== undefined && said !== 'FULL_OBJECT' && said !== 'COMPOSITE')
    throw badRequest(
      'InvalidRequest',
      `x-amz-checksum-type must be FULL_OBJECT or COMPOSITE, not ${said.slice(0, 100)}`,
    );
  const sent = checksumAlgorithms.filter((algorithm) => header(request, checksumHeader(algorithm)) !== undefined);
  if (sent.length > 1)
    throw badRequest(
      'InvalidRequest',
      `one checksum of the object may be sent, not ${sent.length} (${sent.map(checksumHeader).join(', ')})`,
    );
  const algorithm =
    sent[0] ?? checksumAlgorithms.find((each) => parts.some((part) => part.checksums[each] !== undefined));
  if (algorithm === undefined) return undefined;
  const value = header(request, checksumHeader(algorithm));
  if (value !== undefined) return { algorithm, value, type: said ?? (/-\d+$/.test(value) ? 'COMPOSITE' : undefined) };
  // The client sent only checksums of parts. Apply the default types of S3: a crc64nvme checksum covers the whole
  // object, all others are composite.
  return { algorithm, value, type: said ?? (algorithm === 'crc64nvme' ? 'FULL_OBJECT' : 'COMPOSITE') };
}
