import { sharing } from '../../../src/modules/sharing/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(sharing, examples);
