import { askEarly } from './lib/early.ts';

// The smallest of files, so that questions are on their way while the rest of the page still comes.
askEarly(location.pathname, location.search);
void import('./main.tsx');
