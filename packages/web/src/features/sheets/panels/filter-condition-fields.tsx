import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/form-fields.tsx';
import { LabeledSelect } from './panel-inputs.tsx';
import { conditionLabels, meetsCondition, operandCount, type Condition } from './filter-conditions.ts';

/** Form that selects the values of a column by a condition instead of individually. */
export function FilterCondition({
  values,
  onChoose,
}: {
  values: readonly string[];
  onChoose: (chosen: Set<string>) => void;
}): ReactNode {
  const text = useTranslation();
  const [condition, setCondition] = useState<Condition>('contains');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const operands = operandCount(condition);
  const isReady = (operands < 1 || first.trim() !== '') && (operands < 2 || second.trim() !== '');
  return (
    <details className="border-b border-line pb-2">
      <summary className="cursor-pointer px-1 py-1 text-[0.933rem]">{text('byCondition')}</summary>
      <div className="flex flex-col gap-2 px-1 pt-1">
        <LabeledSelect label={text('condition')} value={condition} words={conditionLabels} onChange={setCondition} />
        {operands > 0 && (
          <TextInput aria-label={text('ruleValue')} value={first} onChange={(event) => setFirst(event.target.value)} />
        )}
        {operands > 1 && (
          <TextInput
            aria-label={text('ruleSecondValue')}
            value={second}
            onChange={(event) => setSecond(event.target.value)}
          />
        )}
        <Button
          disabled={!isReady}
          onClick={() => onChoose(new Set(values.filter((value) => meetsCondition(value, condition, first, second))))}
        >
          {text('chooseMatching')}
        </Button>
      </div>
    </details>
  );
}
