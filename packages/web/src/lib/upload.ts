interface UploadOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
  /** Extracts the reason from the response body if the server rejects the upload. */
  readonly reasonIn?: (response: string) => string | undefined;
}

/** Sends a file with PUT. Uses XMLHttpRequest, because `fetch` cannot report upload progress. */
export function putFile(file: File, address: string, options: UploadOptions): Promise<void> {
  const { headers = {}, onProgress, signal, reasonIn } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.total === 0 ? 0 : event.loaded / event.total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(new Error(reasonIn?.(request.responseText) ?? `the storage answered status ${request.status}`));
    };
    request.onerror = () => reject(new Error('the connection was lost during the upload'));
    request.onabort = () => reject(new DOMException('the upload was cancelled', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
