import { ArrowDown, ArrowUp, Filter, GripVertical, Plus, X } from 'lucide-react';
import { useState, type DragEvent, type ReactNode } from 'react';
import type { MessageKey } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/form-fields.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useSheet, type ToolInput } from '../sheet-session.ts';
import { LiveCheckbox, LiveSelect } from './panel-inputs.tsx';
import type { PivotDetail } from './pivot-panel.tsx';

type Shape = Omit<ToolInput<'update_pivot_table'>, 'sheet_id' | 'pivot_table_id'>;
type Zone = 'rows' | 'columns' | 'values' | 'filters';
const zones: readonly { zone: Zone; label: MessageKey }[] = [
  { zone: 'rows', label: 'pivotRows' },
  { zone: 'columns', label: 'pivotColumns' },
  { zone: 'values', label: 'pivotValues' },
  { zone: 'filters', label: 'pivotFilters' },
];
const functions = [
  'SUM',
  'COUNT',
  'AVERAGE',
  'MAX',
  'MIN',
  'PRODUCT',
  'COUNTNUMS',
  'STDEV',
  'STDEVP',
  'VAR',
  'VARP',
] as const;

type Choices = ReadonlyMap<number, readonly string[]>;

interface Fields {
  rows: number[];
  columns: number[];
  values: { field: number; how: PivotDetail['pivot_values'][number]['summarize_function'] }[];
  filters: { field: number; visible: string[] | undefined }[];
}

/**
 * Converts a pivot table's definition to the fields of the form. `choices` contains all values of each filtered field.
 * A filter that shows all of them becomes undefined (no filter), so that values added later are visible, too.
 */
function fieldsOf(detail: PivotDetail, choices: Choices): Fields {
  return {
    rows: [...detail.row_group_columns],
    columns: [...detail.column_group_columns],
    values: detail.pivot_values.map((one) => ({ field: one.source_data_column, how: one.summarize_function })),
    filters: detail.filters.map((one) => ({
      field: one.source_data_column,
      visible: choices.get(one.source_data_column)?.every((value) => one.visible_values.includes(value))
        ? undefined
        : one.visible_values,
    })),
  };
}

function shapeOf(fields: Fields, detail: PivotDetail): Shape {
  return {
    row_groups: fields.rows.map((field) => ({ source_data_column: field })),
    column_groups: fields.columns.map((field) => ({ source_data_column: field })),
    pivot_values: fields.values.map(({ field, how }) => ({ source_data_column: field, summarize_function: how })),
    filters: fields.filters.map(({ field, visible }) => ({
      source_data_column: field,
      ...(visible ? { visible_values: visible } : {}),
    })),
    calculated_values: detail.calculated_values,
  };
}

/**
 * Shows the available fields of a pivot table and its four areas: rows, columns, values and filters. Fields are moved
 * between them by dragging or with their menus.
 */
export function PivotFields({
  detail,
  names,
  choices,
  onChange,
}: {
  detail: PivotDetail;
  names: readonly string[];
  choices: Choices;
  onChange: (shape: Shape) => Promise<void>;
}): ReactNode {
  const { session, text } = useSheet();
  const fields = fieldsOf(detail, choices);
  const off = !session.mayWrite;
  const change = (next: Fields): void => void onChange(shapeOf(next, detail));
  const without = (from: Zone, at: number): Fields => ({
    ...fields,
    [from]: (fields[from] as unknown[]).filter((_, index) => index !== at),
  });
  const add = (zone: Zone, field: number, base: Fields = fields): void => {
    if (zone === 'values') change({ ...base, values: [...base.values, { field, how: 'SUM' }] });
    else if (zone === 'filters')
      change({
        ...base,
        filters: [...base.filters.filter((one) => one.field !== field), { field, visible: undefined }],
      });
    else {
      const rows = base.rows.filter((one) => one !== field);
      const columns = base.columns.filter((one) => one !== field);
      change({
        ...base,
        rows: zone === 'rows' ? [...rows, field] : rows,
        columns: zone === 'columns' ? [...columns, field] : columns,
      });
    }
  };
  const move = (zone: Zone, at: number, by: number): void => {
    const list = [...(fields[zone] as unknown[])];
    const [taken] = list.splice(at, 1);
    list.splice(at + by, 0, taken);
    change({ ...fields, [zone]: list });
  };
  const drop = (event: DragEvent, zone: Zone): void => {
    event.preventDefault();
    if (off) return;
    const [field, from, at] = event.dataTransfer.getData('text/x-pivot-field').split(':');
    if (field === undefined || field === '' || from === zone) return;
    add(zone, Number(field), from ? without(from as Zone, Number(at)) : fields);
  };
  const fieldOf = (zone: Zone, at: number): number => {
    const entry = fields[zone][at]!;
    return typeof entry === 'number' ? entry : entry.field;
  };
  return (
    <div className="flex flex-col gap-3">
      <section aria-label={text('pivotFields')} className="flex flex-col gap-1">
        <h3 className="text-sm font-medium text-soft">{text('pivotFields')}</h3>
        <ul className="scroll-thin flex max-h-44 flex-col overflow-y-auto rounded-lg border border-line bg-raised">
          {names.map((name, field) => (
            <li
              key={field}
              draggable={!off}
              onDragStart={(event) => event.dataTransfer.setData('text/x-pivot-field', `${field}::`)}
              className="flex items-center gap-1.5 py-0.5 pr-1 pl-2"
            >
              <GripVertical size={13} className="shrink-0 cursor-grab text-faint" aria-hidden />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {!off && (
                <Menu
                  trigger={
                    <IconButton label={text('addField', { name })} className="size-7">
                      <Plus size={14} />
                    </IconButton>
                  }
                  entries={zones.map(({ zone, label }) => ({ label: text(label), run: () => add(zone, field) }))}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
      {zones.map(({ zone, label }) => (
        <section
          key={zone}
          aria-label={text(label)}
          className="flex flex-col gap-1"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => drop(event, zone)}
        >
          <h3 className="text-sm font-medium text-soft">{text(label)}</h3>
          <ul className="flex min-h-10 flex-col gap-1 rounded-lg border border-dashed border-strong-line p-1">
            {fields[zone].length === 0 && <li className="px-2 py-1 text-sm text-faint">{text('dropField')}</li>}
            {fields[zone].map((_, at) => {
              const field = fieldOf(zone, at);
              const name = names[field] ?? `#${field + 1}`;
              return (
                <li
                  key={`${field}:${at}`}
                  draggable={!off}
                  onDragStart={(event) => event.dataTransfer.setData('text/x-pivot-field', `${field}:${zone}:${at}`)}
                  className="flex flex-col rounded-md border border-line bg-raised"
                >
                  <div className="flex items-center gap-0.5 pl-2">
                    <span className="min-w-0 flex-1 truncate text-[0.933rem]">{name}</span>
                    {!off && (
                      <>
                        <IconButton
                          label={`${text('moveUp')}: ${name}`}
                          className="size-7"
                          disabled={at === 0}
                          onClick={() => move(zone, at, -1)}
                        >
                          <ArrowUp size={13} />
                        </IconButton>
                        <IconButton
                          label={`${text('moveDown')}: ${name}`}
                          className="size-7"
                          disabled={at === fields[zone].length - 1}
                          onClick={() => move(zone, at, 1)}
                        >
                          <ArrowDown size={13} />
                        </IconButton>
                        <IconButton
                          label={`${text('remove')}: ${name}`}
                          className="size-7"
                          onClick={() => change(without(zone, at))}
                        >
                          <X size={13} />
                        </IconButton>
                      </>
                    )}
                  </div>
                  {zone === 'values' && (
                    <div className="px-1.5 pb-1.5">
                      <LiveSelect
                        aria-label={text('aggregateBy', { name })}
                        className="h-8 text-sm"
                        disabled={off}
                        value={fields.values[at]!.how}
                        onChange={(how) =>
                          change({
                            ...fields,
                            values: fields.values.map((one, index) => (index === at ? { ...one, how } : one)),
                          })
                        }
                        options={functions.map((how) => [how, text(`agg_${how}`)] as const)}
                      />
                    </div>
                  )}
                  {zone === 'filters' && (
                    <FilterValues
                      all={choices.get(field) ?? []}
                      name={name}
                      visible={fields.filters[at]!.visible}
                      onChange={(visible) =>
                        change({
                          ...fields,
                          filters: fields.filters.map((one, index) => (index === at ? { ...one, visible } : one)),
                        })
                      }
                    />
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}

const maxListed = 200;

function FilterValues({
  all,
  name,
  visible,
  onChange,
}: {
  all: readonly string[];
  name: string;
  visible: string[] | undefined;
  onChange: (visible: string[] | undefined) => void;
}): ReactNode {
  const { session, text } = useSheet();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const shown = visible ?? all;
  const found = all.filter((value) => value.toLowerCase().includes(search.toLowerCase()));
  const toggle = (value: string): void => {
    const next = shown.includes(value) ? shown.filter((one) => one !== value) : [...shown, value];
    onChange(next.length === all.length && all.every((one) => next.includes(one)) ? undefined : next);
  };
  return (
    <div className="flex flex-col gap-1 px-2 pb-1.5">
      <button
        type="button"
        aria-expanded={open}
        className="flex items-center gap-1.5 self-start rounded text-sm text-soft hover:text-ink"
        onClick={() => setOpen(!open)}
      >
        <Filter size={12} /> {visible ? text('valuesChosen', { count: visible.length }) : text('allValues')}
      </button>
      {open && (
        <>
          {all.length > 10 && (
            <TextInput
              aria-label={text('searchValues')}
              placeholder={text('searchValues')}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          )}
          <fieldset
            disabled={!session.mayWrite}
            aria-label={text('valuesOf', { name })}
            className="scroll-thin flex max-h-40 flex-col gap-1 overflow-y-auto"
          >
            {found.slice(0, maxListed).map((value) => (
              <LiveCheckbox
                key={value}
                label={value === '' ? text('blank') : value}
                checked={shown.includes(value)}
                onChange={() => toggle(value)}
              />
            ))}
          </fieldset>
        </>
      )}
    </div>
  );
}
