// Loaded by a node before anything else (NODE_OPTIONS=--require): once the file FAIL_SYNC exists, the disk refuses to sync,
// as one with a broken sector does. What was written may be on it or not.
const fs = require('node:fs');

const file = process.env.FAIL_SYNC;
const { fdatasync } = fs;

fs.fdatasync = (descriptor, callback) => {
  if (!fs.existsSync(file)) return fdatasync(descriptor, callback);
  const error = new Error('EIO: i/o error, fdatasync');
  error.code = 'EIO';
  error.errno = -5;
  error.syscall = 'fdatasync';
  process.nextTick(callback, error);
};
