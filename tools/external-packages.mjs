// Packages that stay in node_modules: those with native parts, and those that few starts load but that would be part of the
// server's single file. All others are bundled, because one file loads much faster than hundreds, and a bundled package
// need not be installed.

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

/** Installed only for SHEAF_OCR and for `sheaf model`. */
const onRequest = ['tesseract.js', 'onnxruntime-web'];

export const external = [...published, ...onRequest];
