import { account } from '../../../src/modules/account/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(account, examples);
