import { ArrowDown, ArrowUp, Highlighter, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../../ui/status-placeholders.tsx';
import { useStore } from '../../../../ui/store.ts';
import { showErrorToast } from '../../../../ui/toast.tsx';
import { parseRange } from '../../cell-geometry.ts';
import { useSession } from '../../sheet-session.ts';
import { affectsObjects, refetchTool, useLiveQuery } from '../live-query.ts';
import { RuleForm } from './rule-form.tsx';
import { fieldsOf, hasFormulaSteps, describeRule, type Rule } from './conditional-rule.ts';
import { RuleSample } from './rule-sample.tsx';

/** Lists the conditional formats of the sheet in order of precedence. */
export function ConditionalFormatsPanel(): ReactNode {
  const text = useTranslation();
  const session = useSession();
  const tab = useStore(session.current);
  const [edited, setEdited] = useState<Rule | 'new'>();
  const { data, error } = useLiveQuery('list_objects', { object_types: ['conditional_format'] }, affectsObjects);
  if (error) return <ErrorState error={error} />;
  if (!data) return <SkeletonLines count={3} />;
  const rules = (data.conditional_formats ?? []) as unknown as readonly Rule[];
  const run = (work: Promise<unknown>): void =>
    void work.then(() => refetchTool(session, 'list_objects')).catch(showErrorToast);
  const place = (rule: Rule, position: number): void =>
    run(
      session.write('set_conditional_format', {
        sheet_id: tab,
        format_id: rule.format_id,
        ...fieldsOf(rule),
        position,
      }),
    );
  if (edited !== undefined)
    return (
      <RuleForm
        rule={edited === 'new' ? undefined : edited}
        position={edited === 'new' ? undefined : rules.findIndex((one) => one.format_id === edited.format_id)}
        onDone={() => {
          setEdited(undefined);
          void refetchTool(session, 'list_objects');
        }}
      />
    );
  const add = session.mayWrite && (
    <Button variant="primary" onClick={() => setEdited('new')}>
      <Plus size={15} /> {text('addRule')}
    </Button>
  );
  if (rules.length === 0)
    return (
      <EmptyState icon={<Highlighter />} title={text('noRules')} actions={add}>
        {text('noRulesHint')}
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{text('rulesHint')}</p>
      {add && <div>{add}</div>}
      <ol aria-label={text('rules')} className="divide-y divide-line rounded-xl border border-line bg-raised">
        {rules.map((rule, index) => (
          <li key={rule.format_id} className="flex flex-wrap items-center gap-x-2.5 px-3 py-2">
            <RuleSample rule={rule} />
            <button
              type="button"
              className="flex min-w-40 flex-1 flex-col rounded text-left"
              onClick={() => {
                const range = parseRange(rule.ranges[0] ?? '');
                if (range) session.goTo(tab, range);
              }}
            >
              <span className="w-full break-words">{describeRule(rule, text)}</span>
              <span className="w-full truncate font-mono text-xs text-faint">{rule.ranges.join(', ')}</span>
            </button>
            {session.mayWrite && (
              <span className="ml-auto flex shrink-0">
                <IconButton
                  label={text('ruleUp')}
                  className="size-7"
                  disabled={index === 0 || hasFormulaSteps(rule)}
                  onClick={() => place(rule, index - 1)}
                >
                  <ArrowUp size={14} />
                </IconButton>
                <IconButton
                  label={text('ruleDown')}
                  className="size-7"
                  disabled={index === rules.length - 1 || hasFormulaSteps(rule)}
                  onClick={() => place(rule, index + 1)}
                >
                  <ArrowDown size={14} />
                </IconButton>
                <IconButton label={text('editRule')} className="size-7" onClick={() => setEdited(rule)}>
                  <Pencil size={14} />
                </IconButton>
                <IconButton
                  label={text('deleteRule')}
                  className="size-7"
                  onClick={() =>
                    run(
                      session.write('delete_object', {
                        object_type: 'conditional_format',
                        object_id: rule.format_id,
                        sheet_id: tab,
                      }),
                    )
                  }
                >
                  <Trash2 size={14} />
                </IconButton>
              </span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
