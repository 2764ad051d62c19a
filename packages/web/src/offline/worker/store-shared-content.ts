import { shareCache, sharePaths, type SharedContent } from '../shared-content.ts';

/**
 * Maximum number and total size in bytes of the files that another app can share with this app at once. Further files
 * are left out, and the page tells the user.
 */
const maxFiles = 20;
const maxBytes = 64 * 2 ** 20;

/**
 * Stores in this browser the content that another app shared with this app. Nothing is sent to the server before the
 * user agrees, because any website can send a request with content to share.
 */
export async function storeSharedContent(request: Request): Promise<Response> {
  const form = await request.formData();
  const textOf = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const files = form.getAll('files').filter((value) => value instanceof File);
  let bytes = 0;
  const taken = files.filter((file, index) => index < maxFiles && (bytes += file.size) <= maxBytes);
  const content: SharedContent = {
    title: textOf('title'),
    text: textOf('text'),
    url: textOf('url'),
    files: taken.map(({ name, type }) => ({ name, type })),
    leftOut: files.length - taken.length,
    at: Date.now(),
  };
  await caches.delete(shareCache);
  const cache = await caches.open(shareCache);
  for (const [index, file] of taken.entries()) await cache.put(sharePaths.file(index), new Response(file));
  await cache.put(sharePaths.content, new Response(JSON.stringify(content)));
  return Response.redirect('/share', 303);
}
