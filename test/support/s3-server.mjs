// A real S3 server process for tests: node s3-server.mjs <folder> <bucket>. Sends its port to its parent and ends with it.
// s3rver knows neither ListParts nor AbortMultipartUpload, accepts parts of unknown uploads, does not compare the parts'
// etags, keeps the half of a broken upload and lists keys in the order of its folders; a store in use does better, so this
// is added here, behind s3rver's own check of the signature.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const S3rver = require('@20minutes/s3rver');
const S3Error = require('@20minutes/s3rver/lib/models/error.js');

const [directory, bucket] = process.argv.slice(2);
const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, vhostBuckets: false, configureBuckets: [{ name: bucket }] });
const { store } = server;
const uploadFolder = (name, uploadId) => join(store.getResourcePath(name, undefined, 'uploads'), uploadId);
const noSuchUpload = () => new S3Error('NoSuchUpload', 'The specified upload does not exist.');

async function mustExist(name, uploadId) {
  const key = await readFile(join(uploadFolder(name, uploadId), 'key'), 'utf8').catch(() => undefined);
  if (key === undefined) throw noSuchUpload();
}

const partsOf = async (name, uploadId) => {
  const folder = uploadFolder(name, uploadId);
  const numbers = (await readdir(folder)).filter((file) => /^\d+$/.test(file)).map(Number);
  numbers.sort((a, b) => a - b);
  return Promise.all(
    numbers.map(async (number) => ({
      number,
      size: (await stat(join(folder, String(number)))).size,
      md5: await readFile(join(folder, `${number}.md5`), 'utf8'),
    })),
  );
};

const putContent = store.putContent.bind(store);
store.putContent = async (path, content) => {
  const result = await putContent(`${path}.new`, content);
  await rename(`${path}.new`, path);
  return result;
};

const listObjects = store.listObjects.bind(store);
store.listObjects = async (name, { startAfter = '', maxKeys = Infinity, ...options }) => {
  const { objects, ...rest } = await listObjects(name, options);
  const after = objects.filter((object) => object.key > startAfter).sort((a, b) => (a.key < b.key ? -1 : 1));
  return { ...rest, objects: after.slice(0, maxKeys), isTruncated: after.length > maxKeys };
};

const putPart = store.putPart.bind(store);
store.putPart = async (name, uploadId, part, content) => {
  await mustExist(name, uploadId);
  return putPart(name, uploadId, part, content);
};

const putObjectMultipart = store.putObjectMultipart.bind(store);
store.putObjectMultipart = async (name, uploadId, parts) => {
  await mustExist(name, uploadId);
  const key = await readFile(join(uploadFolder(name, uploadId), 'key'), 'utf8');
  const held = new Map((await partsOf(name, uploadId)).map((part) => [part.number, part.md5]));
  if (parts.some((part) => held.get(part.number) !== part.etag)) {
    throw new S3Error('InvalidPart', 'One or more of the specified parts could not be found.');
  }
  const result = await putObjectMultipart(name, uploadId, parts);
  const all = createHash('md5');
  for (const part of parts) all.update(Buffer.from(part.etag, 'hex'));
  const md5 = `${all.digest('hex')}-${parts.length}`;
  await writeFile(store.getResourcePath(name, key, 'object.md5'), md5);
  return { ...result, md5 };
};

server.middleware.splice(2, 0, async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (error.code !== 'MethodNotAllowed' || !('uploadId' in ctx.query) || !['GET', 'DELETE'].includes(ctx.method)) throw error;
    const [, name, ...key] = decodeURIComponent(ctx.path).split('/');
    await mustExist(name, ctx.query.uploadId);
    if (ctx.method === 'DELETE') {
      await rm(uploadFolder(name, ctx.query.uploadId), { recursive: true });
      ctx.status = 204;
      return;
    }
    const after = Number(ctx.query['part-number-marker'] ?? 0);
    const all = (await partsOf(name, ctx.query.uploadId)).filter((part) => part.number > after);
    const page = all.slice(0, Number(ctx.query['max-parts'] ?? 1000));
    ctx.body = {
      ListPartsResult: {
        Bucket: name,
        Key: key.join('/'),
        UploadId: ctx.query.uploadId,
        IsTruncated: page.length < all.length,
        NextPartNumberMarker: page.at(-1)?.number ?? after,
        Part: page.map((part) => ({ PartNumber: part.number, ETag: JSON.stringify(part.md5), Size: part.size })),
      },
    };
  }
});

const { port } = await server.run();
process.send({ port });
process.on('disconnect', () => process.exit());
