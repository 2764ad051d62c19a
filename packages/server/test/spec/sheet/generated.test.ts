import { sheet } from '../../../src/sheet/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(sheet, examples);
