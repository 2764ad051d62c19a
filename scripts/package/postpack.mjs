// Run by npm after it has packed.
import { removeShrinkwrap } from './shrinkwrap.mjs';

removeShrinkwrap();
