import { useState, type ReactNode } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { rangeName } from '../../cell-geometry.ts';
import { selectedRanges, useSheet } from '../../sheet-session.ts';
import { ObjectForm, RangesField, parseRanges } from '../object-list-panel.tsx';
import { LabeledSelect, LiveCheckbox } from '../panel-inputs.tsx';
import { RuleKindFields } from './rule-kind-fields.tsx';
import { RuleStyleFields, presetStyles } from './rule-style-fields.tsx';
import {
  fieldsOf,
  hasFormulaSteps,
  hasStyle,
  kindLabels,
  type RuleDraft,
  type Rule,
  type RuleKind,
} from './conditional-rule.ts';

const defaultFields: Readonly<Partial<Record<RuleKind, Partial<RuleDraft>>>> = {
  cell: { test: 'greater', values: ['0'] },
  text: { test: 'contains', values: [''] },
  date: { period: 'today' },
  top: { rank: 10 },
  formula: { values: ['='] },
  scale: { colors: ['F8696B', 'FFEB84', '63BE7B'] },
  bar: { colors: ['638EC6'] },
  icons: { icons: '3TrafficLights1' },
};

export function RuleForm({
  rule,
  position,
  onDone,
}: {
  rule: Rule | undefined;
  position: number | undefined;
  onDone: () => void;
}): ReactNode {
  const { session, text } = useSheet();
  // Keep the sub-sheet on which the form was opened, because the user may show another one before saving the rule.
  const [tab] = useState(session.current.get);
  const [draft, setDraft] = useState<RuleDraft>(
    () =>
      rule ?? {
        kind: 'cell',
        ranges: selectedRanges(session.selection.get()).map(rangeName),
        ...defaultFields.cell,
        style: presetStyles[0]!,
      },
  );
  const [written, setWritten] = useState(draft.ranges.join(', '));
  const change = (more: Partial<RuleDraft>): void => setDraft((before) => ({ ...before, ...more }));
  const ranges = parseRanges(written);
  if (rule && hasFormulaSteps(rule))
    return (
      <>
        <p className="text-soft">{text('ruleWithFormulas')}</p>
        <Button onClick={onDone}>{text('back')}</Button>
      </>
    );
  return (
    <ObjectForm
      label={text(rule ? 'editRule' : 'addRule')}
      saveLabel={text('saveRule')}
      isReady={ranges !== undefined}
      save={() =>
        session.write('set_conditional_format', {
          sheet_id: tab,
          ...(rule ? { format_id: rule.format_id } : {}),
          ...(position === undefined ? {} : { position }),
          ...fieldsOf({ ...draft, ranges: ranges ?? [] }),
        })
      }
      onDone={onDone}
    >
      <RangesField value={written} onChange={setWritten} />
      <LabeledSelect
        label={text('ruleKind')}
        value={draft.kind}
        words={kindLabels}
        onChange={(kind) =>
          setDraft({ kind, ranges: draft.ranges, style: draft.style ?? presetStyles[0]!, ...defaultFields[kind] })
        }
      />
      <RuleKindFields draft={draft} change={change} text={text} />
      {hasStyle(draft.kind) && <RuleStyleFields draft={draft} change={change} text={text} />}
      {hasStyle(draft.kind) && (
        <LiveCheckbox
          label={text('stopIfTrue')}
          checked={draft.stop_if_true === true}
          onChange={(stop_if_true) => change({ stop_if_true })}
        />
      )}
    </ObjectForm>
  );
}
