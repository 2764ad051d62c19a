// Packages that stay where npm puts them: those with native parts, and those that few starts load. Everything else becomes part of
// our own files, because one file loads in a fraction of the time that hundreds take.

/** Dependencies of the published package. */
export const published = [
  '@e965/xlsx',
  '@mozilla/readability',
  '@node-rs/argon2',
  '@photostructure/sqlite',
  '@resvg/resvg-js',
  'aws4fetch',
  'chardet',
  'image-size',
  'linkedom',
  'mammoth',
  'music-metadata',
  'pg',
  'prom-client',
  'unpdf',
];

/** Installed only by whoever sets SHEAF_OCR. */
const onRequest = ['tesseract.js'];

export const external = [...published, ...onRequest];
