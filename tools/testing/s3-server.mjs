// Runs an S3 server for tests: node s3-server.mjs <folder> <bucket> [port]. Sends its port to its parent process and
// ends with it.
// Unlike production stores, the package s3rver keeps partial uploads and lists keys in folder order. This script
// corrects both.
import { createRequire } from 'node:module';
import { rename } from 'node:fs/promises';

const require = createRequire(import.meta.url);
const S3rver = require('@20minutes/s3rver');

const [directory, bucket, givenPort = '0'] = process.argv.slice(2);
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(givenPort),
  silent: true,
  directory,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
});
const { store } = server;

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

const { port } = await server.run();
process.send({ port });
process.on('disconnect', () => process.exit());
