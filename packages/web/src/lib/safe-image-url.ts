/**
 * Returns the URL from which an image in user-written text may be loaded, or undefined if it is not permitted.
 *
 * A request to this server's host would include the reader's cookie, so only signed file links are permitted on that
 * host. Hosts are compared without the port, because cookies ignore ports, too.
 */
export function safeImageUrl(address: string | null | undefined, page: string): string | undefined {
  if (!address) return undefined;
  // A data URL is safe, because it causes no request.
  if (/^data:image\/[\w.+-]+[;,]/i.test(address)) return address;
  let url: URL;
  let here: URL;
  try {
    here = new URL(page);
    url = new URL(address, here);
  } catch (error) {
    console.info('address of a picture', error);
    return undefined;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.origin === here.origin) return isSignedFile(url) ? url.href : undefined;
  return hostOf(url) === hostOf(here) ? undefined : url.href;
}

function isSignedFile({ pathname, search }: URL): boolean {
  return pathname.startsWith('/files/') && search !== '';
}

/** Returns the host name of a URL. Maps all loopback names and addresses to `localhost`. */
function hostOf({ hostname }: URL): string {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    name === '0.0.0.0' ||
    name.startsWith('127.')
    ? 'localhost'
    : name;
}
