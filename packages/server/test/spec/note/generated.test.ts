import { note } from '../../../src/modules/note/index.ts';
import { generatedTests } from '../generated.ts';
import { examples } from './examples.ts';

generatedTests(note, examples);
