import type { ReactNode } from 'react';
import { Checkbox, Field, Select, TextInput } from '../../../../ui/form-fields.tsx';
import { LabeledSelect } from '../labeled-select.tsx';
import { ColorInput } from './color-input.tsx';
import type { RuleFormProps } from './rule-form-props.ts';
import { comparisonLabels, iconSets, periodLabels, textTestLabels } from './conditional-rule.ts';

/** The input fields for each kind of rule. */
export function RuleKindFields({ draft, change, text }: RuleFormProps): ReactNode {
  const values = draft.values ?? [];
  const value = (index: number, label: string, hint?: string): ReactNode => (
    <Field label={label} hint={hint}>
      {(ids) => (
        <TextInput
          {...ids}
          value={values[index] ?? ''}
          spellCheck={false}
          onChange={(event) => {
            const next = [values[0] ?? '', values[1] ?? ''];
            next[index] = event.target.value;
            change({ values: next });
          }}
        />
      )}
    </Field>
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
          {value(0, text('ruleValue'), text('ruleValueHint'))}
          {draft.test?.endsWith('between') && value(1, text('ruleSecondValue'))}
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
          {value(0, text('ruleValue'))}
        </>
      );
    case 'formula':
      return value(0, text('ruleTest'), text('ruleFormulaHint'));
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
          <LabeledSelect
            label={text('ruleWhich')}
            value={draft.below ? 'below' : 'above'}
            words={{ above: 'ruleHighest', below: 'ruleLowest' }}
            onChange={(which) => change({ below: which === 'below' })}
          />
          <Field label={text('ruleRank')}>
            {(ids) => (
              <TextInput
                {...ids}
                type="number"
                min={1}
                max={1000}
                value={draft.rank ?? 10}
                onChange={(event) => change({ rank: Math.max(1, Math.min(1000, Number(event.target.value) || 1)) })}
              />
            )}
          </Field>
          <Checkbox
            label={text('rulePercent')}
            checked={draft.percent === true}
            onChange={(event) => change({ percent: event.target.checked })}
          />
        </>
      );
    case 'average':
      return (
        <LabeledSelect
          label={text('ruleWhich')}
          value={draft.below ? 'below' : 'above'}
          words={{ above: 'ruleAbove', below: 'ruleBelow' }}
          onChange={(which) => change({ below: which === 'below' })}
        />
      );
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
          <HideValue draft={draft} change={change} text={text} />
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
          <Checkbox
            label={text('reverseIcons')}
            checked={draft.reverse === true}
            onChange={(event) => change({ reverse: event.target.checked })}
          />
          <HideValue draft={draft} change={change} text={text} />
        </>
      );
    default:
      return null;
  }
}

function HideValue({ draft, change, text }: RuleFormProps): ReactNode {
  return (
    <Checkbox
      label={text('hideValue')}
      checked={draft.hide_value === true}
      onChange={(event) => change({ hide_value: event.target.checked })}
    />
  );
}

function ScaleColors({ draft, change, text }: RuleFormProps): ReactNode {
  const colors = draft.colors ?? ['F8696B', 'FFEB84', '63BE7B'];
  const set = (index: number, color: string): void =>
    change({ colors: colors.map((one, i) => (i === index ? color : one)) });
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
            onChange={(next) => set(index, next)}
          />
        ))}
      </div>
      <Checkbox
        label={text('threeColors')}
        checked={colors.length === 3}
        onChange={(event) =>
          change({
            colors: event.target.checked ? [colors[0]!, 'FFEB84', colors.at(-1)!] : [colors[0]!, colors.at(-1)!],
            steps: undefined,
          })
        }
      />
    </fieldset>
  );
}
