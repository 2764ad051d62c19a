import { manage } from '../../../src/modules/manage/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(manage, examples);
