import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../../lib/client.ts';
import { useText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Check, Field, Select, TextInput } from '../../ui/field.tsx';
import { useStore } from '../../ui/store.ts';
import { say, sayError } from '../../ui/toast.tsx';
import { cellRange, regionOf, type CellRange } from '../geometry.ts';
import { useRevisions, useSession, type ToolInput, type ToolOutput } from '../session.ts';
import type { PanelState } from './state.ts';

type Hit = ToolOutput<'find'>['results'][number];
type Where = 'document' | 'tab' | 'selection';

interface Found {
  readonly hits: readonly Hit[];
  readonly total: number;
}

const none: readonly Hit[] = [];
const typingMs = 200;
const mostHits = 1000;
const mostListed = 200;

export function FindPanel({ state }: { state: PanelState }): ReactNode {
  const text = useText();
  const session = useSession();
  const asked = useStore(state.findAsked);
  const replacing = useStore(state.replacing);
  const tabs = useStore(session.tabs);
  const tab = useStore(session.current);
  const field = useRef<HTMLInputElement>(null);
  const [term, setTerm] = useState('');
  const [replacement, setReplacement] = useState('');
  const [where, setWhere] = useState<Where>('document');
  /** What was selected when "in the selection" was chosen: going to a hit selects something else. */
  const [within, setWithin] = useState<CellRange>();
  const [options, setOptions] = useState({
    match_case: false,
    match_entire_cell: false,
    use_regex: false,
    match_formulas: false,
  });
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<string>();
  const [at, setAt] = useState(-1);
  const [round, setRound] = useState(0);

  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  useRevisions(() => setRound((count) => count + 1));

  const tabName = tabs.find((one) => one.id === tab)?.name ?? '';
  const scope: Pick<ToolInput<'find'>, 'sheet_name' | 'start_row' | 'start_col' | 'end_row' | 'end_col'> = where ===
  'document'
    ? {}
    : { sheet_name: tabName, ...(where === 'selection' && within ? regionOf(within) : {}) };
  const question = JSON.stringify({ search_term: term, ...options, ...scope });
  useEffect(() => {
    if (term === '') {
      setFound(undefined);
      setError(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      session.read('find', { ...(JSON.parse(question) as ToolInput<'find'>), max_results: mostHits }, stop.signal).then(
        ({ results, total_results: total }) => {
          setFound({ hits: results, total });
          setError(undefined);
          setAt((before) => Math.min(before, results.length - 1));
        },
        (findError: unknown) => {
          if (stop.signal.aborted) return;
          setFound(undefined);
          setError(messageOf(findError));
        },
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question, term, round, session]);

  const hits = found?.hits ?? none;
  useEffect(() => {
    state.hits.set(hits);
    return () => state.hits.set(none);
  }, [state, hits]);
  const go = (index: number): void => {
    const hit = hits[index];
    if (!hit) return;
    setAt(index);
    session.goTo(hit.sheet_id, cellRange(hit.row, hit.col));
  };
  const step = (by: number): void => {
    if (hits.length > 0) go((at + by + hits.length) % hits.length);
  };
  const replace = async (only: Hit | undefined): Promise<void> => {
    const place = only
      ? {
          sheet_name: tabs.find((one) => one.id === only.sheet_id)?.name ?? '',
          start_row: only.row,
          end_row: only.row,
          start_col: only.col,
          end_col: only.col,
        }
      : scope;
    const { replaced_count: count } = await session.write('replace', {
      search_term: term,
      replacement,
      ...options,
      ...place,
    });
    say(text('replacedCount', { count }));
  };
  const replaceOne = async (): Promise<void> => {
    const current = hits[at] ?? hits[0];
    if (!current) return;
    await replace(current);
    const next = hits.indexOf(current) + 1;
    if (next < hits.length) go(next);
  };
  const option = (key: keyof typeof options, label: string): ReactNode => (
    <Check
      label={label}
      checked={options[key]}
      onChange={(event) => {
        setOptions({ ...options, [key]: event.target.checked });
        setAt(-1);
      }}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      <Field label={text('findWhat')} error={error}>
        {(ids) => (
          <div className="flex items-center gap-1">
            <TextInput
              {...ids}
              ref={field}
              value={term}
              spellCheck={false}
              onChange={(event) => {
                setTerm(event.target.value);
                setAt(-1);
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
        <Field label={text('replaceWith')}>
          {(ids) => (
            <TextInput
              {...ids}
              value={replacement}
              spellCheck={false}
              disabled={!session.mayWrite}
              onChange={(event) => setReplacement(event.target.value)}
            />
          )}
        </Field>
      ) : (
        session.mayWrite && (
          <Button look="quiet" className="self-start" onClick={() => state.replacing.set(true)}>
            {text('replaceToo')}
          </Button>
        )
      )}
      <Field label={text('findWhere')}>
        {(ids) => (
          <Select
            {...ids}
            value={where}
            onChange={(event) => {
              const next = event.target.value as Where;
              setWithin(next === 'selection' ? session.selection.get().range : undefined);
              setWhere(next);
              setAt(-1);
            }}
          >
            <option value="document">{text('allTabs')}</option>
            <option value="tab">{text('thisTab')}</option>
            <option value="selection">{text('theSelection')}</option>
          </Select>
        )}
      </Field>
      <div className="grid grid-cols-1 gap-1.5">
        {option('match_case', text('matchCase'))}
        {option('match_entire_cell', text('wholeCell'))}
        {option('match_formulas', text('inFormulas'))}
        {option('use_regex', text('regex'))}
      </div>
      {replacing && session.mayWrite && (
        <div className="flex gap-2">
          <Button disabled={hits.length === 0} onClick={() => void replaceOne().catch(sayError)}>
            {text('replaceOne')}
          </Button>
          <Button look="primary" disabled={hits.length === 0} onClick={() => void replace(undefined).catch(sayError)}>
            {text('replaceAll')}
          </Button>
        </div>
      )}
      {found && (
        <p role="status" className="text-sm text-soft">
          {found.total === 0
            ? text('noHits')
            : at < 0
              ? text('hitCount', { count: found.total })
              : text('hitOf', { number: at + 1, count: found.total })}
        </p>
      )}
      {hits.length > 0 && (
        <ul
          aria-label={text('hits')}
          className="scroll-thin flex max-h-80 flex-col overflow-y-auto rounded-lg border border-line bg-raised"
        >
          {hits.slice(0, mostListed).map((hit, index) => (
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
    </div>
  );
}
