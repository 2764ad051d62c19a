/** Saves a file through a browser download. */
export function downloadFile(name: string, type: string, content: string, encoding: 'utf8' | 'base64'): void {
  const blob = new Blob([encoding === 'utf8' ? content : decodeBase64(content)], { type });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
