import { ArrowDown, ArrowUp, Highlighter } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from '../../../../ui/store.ts';
import { useSheet } from '../../sheet-session.ts';
import { affectsObjects, useLiveQuery } from '../live-query.ts';
import { ObjectListPanel, ObjectRow, useGoToRange } from '../object-list-panel.tsx';
import { SmallIconButton } from '../panel-inputs.tsx';
import { RuleForm } from './rule-form.tsx';
import { fieldsOf, hasFormulaSteps, describeRule, type Rule } from './conditional-rule.ts';
import { RuleSample } from './rule-style-fields.tsx';

/** Lists the conditional formats of the current sub-sheet in order of precedence. */
export function ConditionalFormatsPanel(): ReactNode {
  const { session, text } = useSheet();
  const sheet_id = useStore(session.current);
  const goTo = useGoToRange();
  return (
    <ObjectListPanel
      query={useLiveQuery('list_objects', { object_types: ['conditional_format'] }, affectsObjects)}
      tool="list_objects"
      items={(data) => (data.conditional_formats ?? []) as unknown as readonly Rule[]}
      label={text('rules')}
      hint={text('rulesHint')}
      empty={{ icon: <Highlighter />, title: text('noRules'), hint: text('noRulesHint') }}
      add={text('addRule')}
      form={(rule, onDone, all) => (
        <RuleForm
          rule={rule}
          position={rule && all.findIndex((one) => one.format_id === rule.format_id)}
          onDone={onDone}
        />
      )}
      isOrdered
      row={(rule, { edit, run }, index, all) => {
        const { format_id } = rule;
        const move = (position: number): void =>
          run(session.write('set_conditional_format', { sheet_id, format_id, ...fieldsOf(rule), position }));
        return (
          <ObjectRow
            key={format_id}
            icon={<RuleSample rule={rule} />}
            title={describeRule(rule, text)}
            detail={rule.ranges.join(', ')}
            editLabel={text('editRule')}
            deleteLabel={text('deleteRule')}
            onGo={() => goTo(rule.ranges)}
            onEdit={edit}
            onDelete={() =>
              run(session.write('delete_object', { object_type: 'conditional_format', object_id: format_id, sheet_id }))
            }
          >
            <SmallIconButton
              icon={ArrowUp}
              label={text('ruleUp')}
              disabled={index === 0 || hasFormulaSteps(rule)}
              onClick={() => move(index - 1)}
            />
            <SmallIconButton
              icon={ArrowDown}
              label={text('ruleDown')}
              disabled={index === all.length - 1 || hasFormulaSteps(rule)}
              onClick={() => move(index + 1)}
            />
          </ObjectRow>
        );
      }}
    />
  );
}
