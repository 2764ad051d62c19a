import type { Text } from '../../../text/use-text.ts';
import type { Draft } from './rule.ts';

/** What every part of the form of a rule is given. */
export interface PartProps {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
  readonly text: Text;
}
