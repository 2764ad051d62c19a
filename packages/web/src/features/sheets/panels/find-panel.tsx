import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation, type MessageKey } from '../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/form-fields.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { CellOverlay, useVisibleRange } from '../grid-overlay.tsx';
import { rangeContains, type CellRange } from '../cell-geometry.ts';
import { useSession, useSheet } from '../sheet-session.ts';
import { useFind, type FindScope, type FindState } from './use-find.ts';
import type { PanelProps } from './panel-state.ts';
import { LabeledSelect, LiveCheckbox, TextField } from './panel-inputs.tsx';

/** Finds and replaces text in the document, the current sub-sheet or the selected range. */
export function FindPanel({ state }: PanelProps): ReactNode {
  const { session, text } = useSheet();
  const asked = useStore(state.findAsked);
  const replacing = useStore(state.replacing);
  const field = useRef<HTMLInputElement>(null);
  const [term, setTerm] = useState('');
  const [replacement, setReplacement] = useState('');
  const [where, setWhere] = useState<FindScope>('document');
  /** The selection when "in the selection" was chosen. It is stored, because going to a hit changes the selection. */
  const [within, setWithin] = useState<CellRange>();
  const [options, setOptions] = useState({
    match_case: false,
    match_entire_cell: false,
    use_regex: false,
    match_formulas: false,
  });

  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);

  const finding = useFind(state, { term, where, within, options });
  const { hits, step } = finding;
  const option = (key: keyof typeof options, label: MessageKey): ReactNode => (
    <LiveCheckbox
      label={text(label)}
      checked={options[key]}
      onChange={(on) => {
        setOptions({ ...options, [key]: on });
        finding.startOver();
      }}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      <Field label={text('findWhat')} error={finding.error}>
        {(ids) => (
          <div className="flex items-center gap-1">
            <TextInput
              {...ids}
              ref={field}
              value={term}
              spellCheck={false}
              onChange={(event) => {
                setTerm(event.target.value);
                finding.startOver();
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
              }}
            />
            <IconButton label={text('previousHit')} disabled={hits.length === 0} onClick={() => step(-1)}>
              <ArrowUp size={16} />
            </IconButton>
            <IconButton label={text('nextHit')} disabled={hits.length === 0} onClick={() => step(1)}>
              <ArrowDown size={16} />
            </IconButton>
          </div>
        )}
      </Field>
      {replacing ? (
        <TextField
          label={text('replaceWith')}
          value={replacement}
          spellCheck={false}
          disabled={!session.mayWrite}
          onChange={setReplacement}
        />
      ) : (
        session.mayWrite && (
          <Button variant="quiet" className="self-start" onClick={() => state.replacing.set(true)}>
            {text('replaceToo')}
          </Button>
        )
      )}
      <LabeledSelect
        label={text('findWhere')}
        value={where}
        words={{ document: 'allTabs', tab: 'thisTab', selection: 'theSelection' }}
        onChange={(next) => {
          setWithin(next === 'selection' ? session.selection.get().range : undefined);
          setWhere(next);
          finding.startOver();
        }}
      />
      <div className="grid grid-cols-1 gap-1.5">
        {option('match_case', 'matchCase')}
        {option('match_entire_cell', 'wholeCell')}
        {option('match_formulas', 'inFormulas')}
        {option('use_regex', 'regex')}
      </div>
      {replacing && session.mayWrite && (
        <div className="flex gap-2">
          <Button
            disabled={hits.length === 0}
            onClick={() => void finding.replaceOne(replacement).catch(showErrorToast)}
          >
            {text('replaceOne')}
          </Button>
          <Button
            variant="primary"
            disabled={hits.length === 0}
            onClick={() => void finding.replaceAll(replacement).catch(showErrorToast)}
          >
            {text('replaceAll')}
          </Button>
        </div>
      )}
      <HitList {...finding} />
    </div>
  );
}

const maxListed = 200;

/** Shows the number of hits, and links to the cells of the first hits. */
function HitList({ hits, total, at, go }: FindState): ReactNode {
  const text = useTranslation();
  const tabs = useStore(useSession().tabs);
  return (
    <>
      {total !== undefined && (
        <p role="status" className="text-sm text-soft">
          {total === 0
            ? text('noHits')
            : at < 0
              ? text('hitCount', { count: total })
              : text('hitOf', { number: at + 1, count: total })}
        </p>
      )}
      {hits.length > 0 && (
        <ul
          aria-label={text('hits')}
          className="scroll-thin flex max-h-80 flex-col overflow-y-auto rounded-lg border border-line bg-raised"
        >
          {hits.slice(0, maxListed).map((hit, index) => (
            <li key={`${hit.sheet_id}:${hit.address}`}>
              <button
                type="button"
                aria-current={index === at}
                className="flex w-full items-center gap-2 px-3 py-1.5 text-left text-sm hover:bg-hover aria-[current=true]:bg-accent-soft"
                onClick={() => go(index)}
              >
                <span className="font-mono">{hit.address}</span>
                <span className="ml-auto truncate text-faint">{tabs.find((one) => one.id === hit.sheet_id)?.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const maxMarked = 300;

export function HitLayer({ state }: PanelProps): ReactNode {
  const tab = useStore(useSession().current);
  const hits = useStore(state.hits);
  const viewport = useVisibleRange();
  if (!viewport || hits.length === 0) return null;
  const seen = hits.filter((hit) => hit.sheet_id === tab && rangeContains(viewport, hit.row, hit.col));
  return seen.slice(0, maxMarked).map((hit) => <HitMark key={`${hit.row}:${hit.col}`} row={hit.row} col={hit.col} />);
}

function HitMark({ row, col }: { row: number; col: number }): ReactNode {
  return (
    <CellOverlay row={row} col={col} className="pointer-events-none">
      {/* A frame without a fill, because a fill above the canvas would fade the text of the hit. */}
      <div data-hit className="absolute inset-0 rounded-[3px] border-2 border-found" />
    </CellOverlay>
  );
}
