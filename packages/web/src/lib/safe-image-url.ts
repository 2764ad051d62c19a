/**
 * Returns the URL from which an image in user-written text may be loaded, or undefined if it is not permitted. `page`
 * is the URL of the page that shows the image.
 *
 * A request to this server's host includes the reader's cookie, so an image could make requests in the reader's name.
 * On this host, only signed file links of the same origin are permitted. Hosts are compared without the port, because
 * cookies ignore ports, too.
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

/**
 * Returns the host name of a URL. Maps all names and addresses of the local machine to `localhost`, so that they count
 * as the same host.
 */
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
