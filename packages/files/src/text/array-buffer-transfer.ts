/**
 * Adds `ArrayBuffer.prototype.transferToFixedLength` if the runtime lacks it (Node 20). Without it, pdf.js cannot build
 * fonts and omits their text.
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
