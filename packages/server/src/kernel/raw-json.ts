/** The `data` of an answer, already serialized by a worker thread. Transports send it without parsing. */
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
