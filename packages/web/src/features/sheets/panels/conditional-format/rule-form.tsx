import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox, Field, TextInput } from '../../../../ui/form-fields.tsx';
import { useStore } from '../../../../ui/store.ts';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { rangeName, parseRange } from '../../cell-geometry.ts';
import { selectedRanges, useSession } from '../../sheet-session.ts';
import { LabeledSelect } from '../labeled-select.tsx';
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

/** Creates a rule for the selection, or edits an existing one. */
export function RuleForm({
  rule,
  position,
  onDone,
}: {
  rule: Rule | undefined;
  position: number | undefined;
  onDone: () => void;
}): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const tab = useStore(session.current);
  const [draft, setDraft] = useState<RuleDraft>(
    () =>
      rule ?? {
        kind: 'cell',
        ranges: selectedRanges(session.selection.get()).map(rangeName),
        ...defaultFields.cell,
        style: presetStyles[0]!,
      },
  );
  const [ranges, setRanges] = useState(draft.ranges.join(', '));
  const [isSaving, setSaving] = useState(false);
  const change = (more: Partial<RuleDraft>): void => setDraft((before) => ({ ...before, ...more }));
  const named = ranges.split(/[,;\s]+/).filter(Boolean);
  const unclear = named.length === 0 || named.some((one) => !parseRange(one));
  if (rule && hasFormulaSteps(rule))
    return (
      <>
        <p className="text-soft">{text('ruleWithFormulas')}</p>
        <Button onClick={onDone}>{text('back')}</Button>
      </>
    );
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      const place = rule ? { format_id: rule.format_id, ...(position === undefined ? {} : { position }) } : {};
      await session.write('set_conditional_format', {
        sheet_id: tab,
        ...place,
        ...fieldsOf({ ...draft, ranges: named }),
      });
      onDone();
    } catch (error) {
      showErrorToast(error);
      setSaving(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-3"
      aria-label={text(rule ? 'editRule' : 'addRule')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!unclear) void save();
      }}
    >
      <Field
        label={text('ruleRanges')}
        hint={text('ruleRangesHint')}
        error={unclear ? text('rangeUnclear') : undefined}
      >
        {(ids) => (
          <TextInput {...ids} value={ranges} spellCheck={false} onChange={(event) => setRanges(event.target.value)} />
        )}
      </Field>
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
        <Checkbox
          label={text('stopIfTrue')}
          checked={draft.stop_if_true === true}
          onChange={(event) => change({ stop_if_true: event.target.checked })}
        />
      )}
      <div className="flex gap-2 pt-1">
        <Button variant="primary" type="submit" disabled={unclear || isSaving}>
          {text('saveRule')}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {text('cancel')}
        </Button>
      </div>
    </form>
  );
}
