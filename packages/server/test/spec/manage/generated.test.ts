import { manage } from '../../../src/manage/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(manage, examples);
