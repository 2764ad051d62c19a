// Packages that stay where npm puts them: those with native parts, and those that the server's one file would carry though few
// starts load them. Everything else becomes part of our own files: one file loads in a fraction of the time that hundreds take,
// and a package's other files need not be installed.

/** Dependencies of the published package. */
export const published = [
  '@node-rs/argon2',
  '@photostructure/sqlite',
  '@resvg/resvg-js',
  'aws4fetch',
  'image-size',
  'pg',
  'prom-client',
];

/** Installed only by whoever sets SHEAF_OCR. */
const onRequest = ['tesseract.js'];

export const external = [...published, ...onRequest];
