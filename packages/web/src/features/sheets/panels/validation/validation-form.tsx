import { useState, type ReactNode } from 'react';
import type { MessageKey } from '../../../../i18n/use-translation.ts';
import { Field, TextArea } from '../../../../ui/form-fields.tsx';
import { rangeName } from '../../cell-geometry.ts';
import { selectedRanges, useSheet } from '../../sheet-session.ts';
import { comparisonLabels } from '../conditional-format/conditional-rule.ts';
import { ObjectForm, RangesField, RuleValueField, parseRanges } from '../object-list-panel.tsx';
import { LabeledSelect, LiveCheckbox, TextField } from '../panel-inputs.tsx';
import { kindLabels, isCompared, type Validation, type ValidationFields } from './validation-rule.ts';

type Draft = ValidationFields;

export function ValidationForm({ rule, onDone }: { rule: Validation | undefined; onDone: () => void }): ReactNode {
  const { session, text } = useSheet();
  // Keep the sub-sheet on which the form was opened, because the user may show another one before saving the rule.
  const [tab] = useState(session.current.get);
  const [draft, setDraft] = useState<Draft>(() => {
    if (!rule) return { kind: 'list', ranges: selectedRanges(session.selection.get()).map(rangeName) };
    const { validation_id: _, ...fields } = rule;
    return fields;
  });
  const [written, setWritten] = useState(draft.ranges.join(', '));
  const [items, setItems] = useState((draft.values ?? []).join('\n'));
  const change = (more: Partial<Draft>): void => setDraft((before) => ({ ...before, ...more }));
  const ranges = parseRanges(written);
  const test = draft.test ?? 'between';
  const save = async (): Promise<void> => {
    const values =
      draft.kind === 'list'
        ? items
            .split('\n')
            .map((one) => one.trim())
            .filter(Boolean)
        : (draft.values ?? []).slice(0, isCompared(draft.kind) && test.endsWith('between') ? 2 : 1);
    await session.write('set_validation', {
      sheet_id: tab,
      ...(rule ? { validation_id: rule.validation_id } : {}),
      ...withoutEmptyFields(draft),
      ranges: ranges ?? [],
      ...(draft.kind === 'any' ? {} : { values }),
      ...(isCompared(draft.kind) ? { test } : {}),
    });
  };
  const value = (index: 0 | 1, label: MessageKey): ReactNode => (
    <RuleValueField
      values={draft.values}
      index={index}
      label={text(label)}
      hint={index === 0 ? text('ruleValueHint') : undefined}
      onChange={(values) => change({ values })}
    />
  );
  const message = (property: 'prompt' | 'error', label: MessageKey): ReactNode => (
    <TextField
      label={text(label)}
      value={draft[property] ?? ''}
      maxLength={1000}
      onChange={(given) => change({ [property]: given })}
    />
  );
  const check = (property: 'required' | 'hide_list', label: MessageKey): ReactNode => (
    <LiveCheckbox
      label={text(label)}
      checked={draft[property] === true}
      onChange={(on) => change({ [property]: on })}
    />
  );
  return (
    <ObjectForm
      label={text(rule ? 'editRule' : 'addRule')}
      saveLabel={text('saveRule')}
      isReady={ranges !== undefined}
      save={save}
      onDone={onDone}
    >
      <RangesField value={written} onChange={setWritten} />
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
      {draft.kind === 'custom' && value(0, 'ruleTest')}
      {isCompared(draft.kind) && (
        <>
          <LabeledSelect
            label={text('ruleTest')}
            value={test}
            words={comparisonLabels}
            onChange={(next) => change({ test: next })}
          />
          {value(0, 'ruleValue')}
          {test.endsWith('between') && value(1, 'ruleSecondValue')}
        </>
      )}
      {check('required', 'requiredValue')}
      {draft.kind === 'list' && check('hide_list', 'hideList')}
      {message('prompt', 'promptText')}
      <LabeledSelect
        label={text('errorStyle')}
        value={draft.error_style ?? 'stop'}
        words={{ stop: 'errorStop', warning: 'errorWarning', information: 'errorInformation' }}
        onChange={(error_style) => change({ error_style })}
      />
      {message('error', 'errorText')}
    </ObjectForm>
  );
}

/** Returns the rule's fields as tool input. Fields that are undefined, empty or false are omitted. */
function withoutEmptyFields(draft: Draft): Pick<Draft, 'kind'> & Partial<Draft> {
  const { kind, required, hide_list, prompt_title, prompt, error_title, error, error_style } = draft;
  const given = { required, hide_list, prompt_title, prompt, error_title, error, error_style };
  return {
    kind,
    ...Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined && one !== '' && one !== false)),
  };
}
