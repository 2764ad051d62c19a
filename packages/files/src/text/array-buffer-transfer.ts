/**
 * Adds `ArrayBuffer.prototype.transferToFixedLength` where the runtime lacks it (Node 20). pdf.js calls it when it builds a
 * font, and leaves out the text in that font if the call fails.
 */
export function ensureArrayBufferTransfer(): void {
  if ('transferToFixedLength' in ArrayBuffer.prototype) return;
  // eslint-disable-next-line no-extend-native
  Object.defineProperty(ArrayBuffer.prototype, 'transferToFixedLength', {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer, length: number = this.byteLength): ArrayBuffer {
      const moved = new ArrayBuffer(length);
      new Uint8Array(moved).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
      return moved;
    },
  });
}
