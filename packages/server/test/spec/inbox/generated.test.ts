import { inbox } from '../../../src/modules/inbox/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(inbox, examples);
