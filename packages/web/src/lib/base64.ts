/** Encodes a file as base64, without the prefix of a data URL. */
export function encodeBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(file);
  });
}

/**
 * Returns the path and query of a URL that the server returned. The origin is removed, because the page may be open
 * under another host name than the one in the URL.
 */
export function toSameOriginPath(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
