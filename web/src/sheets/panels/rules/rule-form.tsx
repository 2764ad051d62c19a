import { useState, type ReactNode } from 'react';
import { useText, type Text } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Check, Field, Select, TextInput } from '../../../ui/field.tsx';
import { useStore } from '../../../ui/store.ts';
import { sayError } from '../../../ui/toast.tsx';
import { rangeName, rangeNamed } from '../../geometry.ts';
import { rangesOf, useSession } from '../../session.ts';
import { Choice } from '../choice.tsx';
import {
  comparisonWords,
  fieldsOf,
  hasFormulaSteps,
  hasLook,
  iconSets,
  kindWords,
  periodWords,
  textTestWords,
  type Rule,
  type RuleKind,
  type RuleStyle,
} from './rule.ts';
import { Sample } from './sample.tsx';

type Draft = Omit<Rule, 'format_id'>;

/** Fill and text, as everybody knows them. */
const looks: readonly RuleStyle[] = [
  { bg_color: 'FFC7CE', font_color: '9C0006' },
  { bg_color: 'FFEB9C', font_color: '7F4F00' },
  { bg_color: 'C6EFCE', font_color: '006100' },
  { bg_color: 'DDEBF7', font_color: '1F4E78' },
  { bg_color: 'E6E6E6', font_color: '434343' },
  { bold: true, font_color: 'A8322A' },
];

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

/** A new rule for what is selected, or an old one to be changed. */
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

interface PartProps {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
  readonly text: Text;
}

function KindFields({ draft, change, text }: PartProps): ReactNode {
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
          <Choice
            label={text('ruleTest')}
            value={(draft.test ?? 'greater') as keyof typeof comparisonWords}
            words={comparisonWords}
            onChange={(test) => change({ test })}
          />
          {value(0, text('ruleValue'), text('ruleValueHint'))}
          {draft.test?.endsWith('between') && value(1, text('ruleSecondValue'))}
        </>
      );
    case 'text':
      return (
        <>
          <Choice
            label={text('ruleTest')}
            value={(draft.test ?? 'contains') as keyof typeof textTestWords}
            words={textTestWords}
            onChange={(test) => change({ test })}
          />
          {value(0, text('ruleValue'))}
        </>
      );
    case 'formula':
      return value(0, text('ruleTest'), text('ruleFormulaHint'));
    case 'date':
      return (
        <Choice
          label={text('rulePeriod')}
          value={draft.period ?? 'today'}
          words={periodWords}
          onChange={(period) => change({ period })}
        />
      );
    case 'top':
      return (
        <>
          <Choice
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
          <Check
            label={text('rulePercent')}
            checked={draft.percent === true}
            onChange={(event) => change({ percent: event.target.checked })}
          />
        </>
      );
    case 'average':
      return (
        <Choice
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
          <Check
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

function HideValue({ draft, change, text }: PartProps): ReactNode {
  return (
    <Check
      label={text('hideValue')}
      checked={draft.hide_value === true}
      onChange={(event) => change({ hide_value: event.target.checked })}
    />
  );
}

function ScaleColors({ draft, change, text }: PartProps): ReactNode {
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
      <Check
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

function ColorInput({
  label,
  value,
  isBare = false,
  onChange,
}: {
  label: string;
  value: string;
  isBare?: boolean;
  onChange: (color: string) => void;
}): ReactNode {
  const input = (
    <input
      type="color"
      aria-label={label}
      className="h-8 w-12 cursor-pointer rounded-md border border-strong-line bg-raised"
      value={`#${value.slice(-6).toLowerCase()}`}
      onChange={(event) => onChange(event.target.value.slice(1).toUpperCase())}
    />
  );
  return isBare ? (
    input
  ) : (
    <label className="flex items-center gap-2 text-[0.933rem]">
      {input}
      {label}
    </label>
  );
}

function Look({ draft, change, text }: PartProps): ReactNode {
  const style = draft.style ?? {};
  const set = (more: RuleStyle): void => change({ style: { ...style, ...more } });
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="pb-1.5 text-sm font-medium text-soft">{text('ruleLook')}</legend>
      <div className="flex flex-wrap gap-2">
        {looks.map((one, index) => (
          <button
            key={index}
            type="button"
            aria-label={`${text('ruleLook')} ${index + 1}`}
            aria-pressed={one.bg_color === style.bg_color?.slice(-6) && one.font_color === style.font_color?.slice(-6)}
            className="rounded-md p-0.5 aria-pressed:outline-2 aria-pressed:outline-accent"
            onClick={() => change({ style: one })}
          >
            <Sample rule={{ kind: 'cell', style: one }} />
          </button>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <ColorInput
          label={text('fillColor')}
          value={style.bg_color ?? 'FFFFFF'}
          onChange={(bg_color) => set({ bg_color })}
        />
        <ColorInput
          label={text('textColor')}
          value={style.font_color ?? '000000'}
          onChange={(font_color) => set({ font_color })}
        />
        {style.bg_color !== undefined && (
          <Button
            look="quiet"
            className="h-7 text-sm"
            onClick={() => {
              const { bg_color: _, ...rest } = style;
              change({ style: rest });
            }}
          >
            {text('noFill')}
          </Button>
        )}
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {(['bold', 'italic', 'underline', 'strike_through'] as const).map((property) => (
          <Check
            key={property}
            label={text(property === 'strike_through' ? 'strike' : property)}
            checked={style[property] === true}
            onChange={(event) => set({ [property]: event.target.checked })}
          />
        ))}
      </div>
    </fieldset>
  );
}
