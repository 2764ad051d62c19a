// After npm packed.
import { removeShrinkwrap } from './shrinkwrap.mjs';

removeShrinkwrap();
