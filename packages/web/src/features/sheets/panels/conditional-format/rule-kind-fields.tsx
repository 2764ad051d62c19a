import type { ReactNode } from 'react';
import type { MessageKey } from '../../../../i18n/use-translation.ts';
import { Field, Select } from '../../../../ui/form-fields.tsx';
import { RuleValueField } from '../object-list-panel.tsx';
import { LabeledSelect, LiveCheckbox, TextField } from '../panel-inputs.tsx';
import { ColorInput } from './rule-style-fields.tsx';
import { comparisonLabels, iconSets, periodLabels, textTestLabels, type RuleFormProps } from './conditional-rule.ts';

export function RuleKindFields({ draft, change, text }: RuleFormProps): ReactNode {
  const value = (index: 0 | 1, label: MessageKey, hint?: MessageKey): ReactNode => (
    <RuleValueField
      values={draft.values}
      index={index}
      label={text(label)}
      hint={hint && text(hint)}
      onChange={(values) => change({ values })}
    />
  );
  const check = (property: 'percent' | 'hide_value' | 'reverse', label: MessageKey): ReactNode => (
    <LiveCheckbox
      label={text(label)}
      checked={draft[property] === true}
      onChange={(on) => change({ [property]: on })}
    />
  );
  const side = (above: MessageKey, below: MessageKey): ReactNode => (
    <LabeledSelect
      label={text('ruleWhich')}
      value={draft.below ? 'below' : 'above'}
      words={{ above, below }}
      onChange={(which) => change({ below: which === 'below' })}
    />
  );
  switch (draft.kind) {
    case 'cell':
      return (
        <>
          <LabeledSelect
            label={text('ruleTest')}
            value={(draft.test ?? 'greater') as keyof typeof comparisonLabels}
            words={comparisonLabels}
            onChange={(test) => change({ test })}
          />
          {value(0, 'ruleValue', 'ruleValueHint')}
          {draft.test?.endsWith('between') && value(1, 'ruleSecondValue')}
        </>
      );
    case 'text':
      return (
        <>
          <LabeledSelect
            label={text('ruleTest')}
            value={(draft.test ?? 'contains') as keyof typeof textTestLabels}
            words={textTestLabels}
            onChange={(test) => change({ test })}
          />
          {value(0, 'ruleValue')}
        </>
      );
    case 'formula':
      return value(0, 'ruleTest', 'ruleFormulaHint');
    case 'date':
      return (
        <LabeledSelect
          label={text('rulePeriod')}
          value={draft.period ?? 'today'}
          words={periodLabels}
          onChange={(period) => change({ period })}
        />
      );
    case 'top':
      return (
        <>
          {side('ruleHighest', 'ruleLowest')}
          <TextField
            label={text('ruleRank')}
            type="number"
            min={1}
            max={1000}
            value={draft.rank ?? 10}
            onChange={(rank) => change({ rank: Math.max(1, Math.min(1000, Number(rank) || 1)) })}
          />
          {check('percent', 'rulePercent')}
        </>
      );
    case 'average':
      return side('ruleAbove', 'ruleBelow');
    case 'scale':
      return <ScaleColors draft={draft} change={change} text={text} />;
    case 'bar':
      return (
        <>
          <ColorInput
            label={text('barColor')}
            value={draft.colors?.[0] ?? '638EC6'}
            onChange={(color) => change({ colors: [color] })}
          />
          {check('hide_value', 'hideValue')}
        </>
      );
    case 'icons':
      return (
        <>
          <Field label={text('iconSet')}>
            {(ids) => (
              <Select
                {...ids}
                value={draft.icons}
                onChange={(event) => change({ icons: event.target.value, steps: undefined })}
              >
                {[...new Set([...iconSets, draft.icons ?? iconSets[0]!])].map((set) => (
                  <option key={set} value={set}>
                    {set.replace(/(?<=\d)(?=[A-Z])|(?<=[a-z])(?=[A-Z])/g, ' ')}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {check('reverse', 'reverseIcons')}
          {check('hide_value', 'hideValue')}
        </>
      );
    default:
      return null;
  }
}

function ScaleColors({ draft, change, text }: RuleFormProps): ReactNode {
  const colors = draft.colors ?? ['F8696B', 'FFEB84', '63BE7B'];
  const ends = [colors[0]!, colors.at(-1)!];
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1.5 text-sm font-medium text-soft">{text('ruleColors')}</legend>
      <div className="flex gap-2">
        {colors.map((color, index) => (
          <ColorInput
            key={index}
            label={`${text('ruleColors')} ${index + 1}`}
            isBare
            value={color}
            onChange={(next) => change({ colors: colors.with(index, next) })}
          />
        ))}
      </div>
      <LiveCheckbox
        label={text('threeColors')}
        checked={colors.length === 3}
        onChange={(on) => change({ colors: on ? ends.toSpliced(1, 0, 'FFEB84') : ends, steps: undefined })}
      />
    </fieldset>
  );
}
