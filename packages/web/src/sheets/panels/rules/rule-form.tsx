import { useState, type ReactNode } from 'react';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Check, Field, TextInput } from '../../../ui/field.tsx';
import { useStore } from '../../../ui/store.ts';
import { sayError } from '../../../ui/toast.tsx';
import { rangeName, rangeNamed } from '../../geometry.ts';
import { rangesOf, useSession } from '../../session.ts';
import { Choice } from '../choice.tsx';
import { KindFields } from './kind-fields.tsx';
import { Look, looks } from './look.tsx';
import { fieldsOf, hasFormulaSteps, hasLook, kindWords, type Draft, type Rule, type RuleKind } from './rule.ts';

const usual: Readonly<Partial<Record<RuleKind, Partial<Draft>>>> = {
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
  const text = useText();
  const session = useSession();
  const tab = useStore(session.current);
  const [draft, setDraft] = useState<Draft>(
    () =>
      rule ?? {
        kind: 'cell',
        ranges: rangesOf(session.selection.get()).map(rangeName),
        ...usual.cell,
        style: looks[0]!,
      },
  );
  const [ranges, setRanges] = useState(draft.ranges.join(', '));
  const [isSaving, setSaving] = useState(false);
  const change = (more: Partial<Draft>): void => setDraft((before) => ({ ...before, ...more }));
  const named = ranges.split(/[,;\s]+/).filter(Boolean);
  const unclear = named.length === 0 || named.some((one) => !rangeNamed(one));
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
      sayError(error);
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
      <Choice
        label={text('ruleKind')}
        value={draft.kind}
        words={kindWords}
        onChange={(kind) => setDraft({ kind, ranges: draft.ranges, style: draft.style ?? looks[0]!, ...usual[kind] })}
      />
      <KindFields draft={draft} change={change} text={text} />
      {hasLook(draft.kind) && <Look draft={draft} change={change} text={text} />}
      {hasLook(draft.kind) && (
        <Check
          label={text('stopIfTrue')}
          checked={draft.stop_if_true === true}
          onChange={(event) => change({ stop_if_true: event.target.checked })}
        />
      )}
      <div className="flex gap-2 pt-1">
        <Button look="primary" type="submit" disabled={unclear || isSaving}>
          {text('saveRule')}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {text('cancel')}
        </Button>
      </div>
    </form>
  );
}
