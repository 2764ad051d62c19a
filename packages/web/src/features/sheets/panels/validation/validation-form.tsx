import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox, Field, TextArea, TextInput } from '../../../../ui/form-fields.tsx';
import { useStore } from '../../../../ui/store.ts';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { rangeName, parseRange } from '../../cell-geometry.ts';
import { selectedRanges, useSession } from '../../sheet-session.ts';
import { LabeledSelect } from '../labeled-select.tsx';
import { comparisonLabels } from '../conditional-format/conditional-rule.ts';
import { kindLabels, isCompared, type Validation, type ValidationFields } from './validation-rule.ts';

type Draft = ValidationFields;

export function ValidationForm({ rule, onDone }: { rule: Validation | undefined; onDone: () => void }): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const tab = useStore(session.current);
  const [draft, setDraft] = useState<Draft>(() => {
    if (!rule) return { kind: 'list', ranges: selectedRanges(session.selection.get()).map(rangeName) };
    const { validation_id: _, ...fields } = rule;
    return fields;
  });
  const [ranges, setRanges] = useState(draft.ranges.join(', '));
  const [items, setItems] = useState((draft.values ?? []).join('\n'));
  const [isSaving, setSaving] = useState(false);
  const change = (more: Partial<Draft>): void => setDraft((before) => ({ ...before, ...more }));
  const named = ranges.split(/[,;\s]+/).filter(Boolean);
  const unclear = named.length === 0 || named.some((one) => !parseRange(one));
  const test = draft.test ?? 'between';
  const save = async (): Promise<void> => {
    setSaving(true);
    const values =
      draft.kind === 'list'
        ? items
            .split('\n')
            .map((one) => one.trim())
            .filter(Boolean)
        : (draft.values ?? []).slice(0, isCompared(draft.kind) && test.endsWith('between') ? 2 : 1);
    try {
      await session.write('set_validation', {
        sheet_id: tab,
        ...(rule ? { validation_id: rule.validation_id } : {}),
        ...withoutEmptyFields(draft),
        ranges: named,
        ...(draft.kind === 'any' ? {} : { values }),
        ...(isCompared(draft.kind) ? { test } : {}),
      });
      onDone();
    } catch (error) {
      showErrorToast(error);
      setSaving(false);
    }
  };
  const value = (index: number, label: string): ReactNode => (
    <Field label={label} hint={index === 0 ? text('ruleValueHint') : undefined}>
      {(ids) => (
        <TextInput
          {...ids}
          value={draft.values?.[index] ?? ''}
          spellCheck={false}
          onChange={(event) => {
            const next = [draft.values?.[0] ?? '', draft.values?.[1] ?? ''];
            next[index] = event.target.value;
            change({ values: next });
          }}
        />
      )}
    </Field>
  );
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
        label={text('allow')}
        value={draft.kind}
        words={kindLabels}
        onChange={(kind) => change({ kind })}
      />
      {draft.kind === 'list' && (
        <Field label={text('listItems')} hint={text('listItemsHint')}>
          {(ids) => (
            <TextArea
              {...ids}
              rows={5}
              value={items}
              spellCheck={false}
              onChange={(event) => setItems(event.target.value)}
            />
          )}
        </Field>
      )}
      {draft.kind === 'custom' && value(0, text('ruleTest'))}
      {isCompared(draft.kind) && (
        <>
          <LabeledSelect
            label={text('ruleTest')}
            value={test}
            words={comparisonLabels}
            onChange={(next) => change({ test: next })}
          />
          {value(0, text('ruleValue'))}
          {test.endsWith('between') && value(1, text('ruleSecondValue'))}
        </>
      )}
      <Checkbox
        label={text('requiredValue')}
        checked={draft.required === true}
        onChange={(event) => change({ required: event.target.checked })}
      />
      {draft.kind === 'list' && (
        <Checkbox
          label={text('hideList')}
          checked={draft.hide_list === true}
          onChange={(event) => change({ hide_list: event.target.checked })}
        />
      )}
      <Field label={text('promptText')}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.prompt ?? ''}
            maxLength={1000}
            onChange={(event) => change({ prompt: event.target.value })}
          />
        )}
      </Field>
      <LabeledSelect
        label={text('errorStyle')}
        value={draft.error_style ?? 'stop'}
        words={{ stop: 'errorStop', warning: 'errorWarning', information: 'errorInformation' }}
        onChange={(error_style) => change({ error_style })}
      />
      <Field label={text('errorText')}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.error ?? ''}
            maxLength={1000}
            onChange={(event) => change({ error: event.target.value })}
          />
        )}
      </Field>
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

/** Returns the tool's input without empty fields. */
function withoutEmptyFields(draft: Draft): Pick<Draft, 'kind'> & Partial<Draft> {
  const { kind, required, hide_list, prompt_title, prompt, error_title, error, error_style } = draft;
  const given = { required, hide_list, prompt_title, prompt, error_title, error, error_style };
  return {
    kind,
    ...Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined && one !== '' && one !== false)),
  };
}
