/**
 * The `data` field of an operation's answer as JSON bytes, usually serialized by a worker thread. It is sent to the
 * client without being parsed again.
 */
export class RawJson {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
  parse(): Record<string, unknown> {
    return JSON.parse(
      Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString('utf8'),
    ) as Record<string, unknown>;
  }
}
