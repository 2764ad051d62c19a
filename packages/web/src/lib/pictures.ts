/**
 * The address a picture of somebody's text may be fetched from, or undefined. Whoever opens the text fetches it, with their
 * cookie where it is our own: so of our own addresses only files by signed link are pictures. Names are compared without the
 * port, as cookies are.
 */
export function pictureAddress(address: string | null | undefined, page: string): string | undefined {
  if (!address) return undefined;
  // No request is made for it.
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

/** All names of this machine itself are one. */
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
