import type { Text } from '../../../text/use-text.ts';
import type { Draft } from './rule.ts';

/** Props of each part of the rule form. */
export interface PartProps {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
  readonly text: Text;
}
