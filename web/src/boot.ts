import { askEarly } from './lib/early.ts';

// The smallest of files, so that questions are on their way while the rest of the page still comes.
try {
  askEarly(location.pathname, location.search);
} catch (error) {
  // An address that cannot be read is the page's to explain.
  console.info('asked early', error);
}
void import('./main.tsx');
