import type { Translate } from '../../../../i18n/use-translation.ts';
import type { RuleDraft } from './conditional-rule.ts';

/** Props of each part of the rule form. */
export interface RuleFormProps {
  readonly draft: RuleDraft;
  readonly change: (more: Partial<RuleDraft>) => void;
  readonly text: Translate;
}
