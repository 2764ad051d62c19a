// Packages that stay in node_modules: those with native parts, and those that are rarely loaded but would enlarge the
// server's single file. All others are bundled, because one file loads much faster than hundreds.

/** External packages that are dependencies of the published package. */
export const published = [
  '@node-rs/argon2',
  '@photostructure/sqlite',
  '@resvg/resvg-js',
  'aws4fetch',
  'image-size',
  'pg',
  'prom-client',
];

/** Packages that are installed only for SHEAF_OCR and for `sheaf model`. */
const onRequest = ['tesseract.js', 'onnxruntime-web'];

export const external = [...published, ...onRequest];
