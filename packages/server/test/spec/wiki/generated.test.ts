import { wiki } from '../../../src/modules/wiki/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(wiki, examples);
