import { useState } from 'react';
import { Loading } from '../../../../ui/problem.tsx';
import { useRuleFields } from '../../../segments/fields.ts';
import { filtersOf, type Group, groupOf } from '../../../segments/rule.ts';
import { RuleGroup } from '../../../segments/rule-group.tsx';
import { isSame } from '../../model/draft.ts';
import type { Condition } from '../../model/step.ts';

interface RuleFieldsProps {
  groups: Condition[][];
  disabled: boolean;
  onChange(groups: Condition[][]): void;
}

/** A rule about people, edited as segments are. */
export function RuleFields({ groups, disabled, onChange }: RuleFieldsProps) {
  const { fields, isReady } = useRuleFields();
  const [edited, setEdited] = useState<{ group: Group; groups: Condition[][] }>(() => ({
    group: groupOf(groups),
    groups,
  }));
  // What was undone or redone is not what was edited last.
  const group = isSame(edited.groups, groups) ? edited.group : groupOf(groups);
  const change = (next: Group) => {
    const filters = filtersOf(next);
    if (filters === null) return;
    setEdited({ group: next, groups: filters });
    onChange(filters);
  };
  if (!isReady) return <Loading />;
  return (
    <fieldset disabled={disabled}>
      <RuleGroup group={group} fields={fields} onChange={change} />
    </fieldset>
  );
}
