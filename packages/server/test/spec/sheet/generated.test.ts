import { sheet } from '../../../src/modules/sheet/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(sheet, examples);
