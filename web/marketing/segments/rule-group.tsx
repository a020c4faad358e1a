import { FolderPlus, Plus, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { words } from '../../words/segments.ts';
import type { RuleField } from './fields.ts';
import { type Group, newCondition, newGroup, type Part } from './rule.ts';
import { RuleCondition } from './rule-condition.tsx';

interface RuleGroupProps {
  group: Group;
  fields: readonly RuleField[];
  onChange(group: Group): void;
  /** The outermost group cannot be taken away. */
  onRemove?: () => void;
  depth?: number;
}

const DEEPEST = 3;

/** Conditions of which all or any have to hold; groups may stand within groups. */
export function RuleGroup({ group, fields, onChange, onRemove, depth = 1 }: RuleGroupProps) {
  const { match, parts } = group;
  const put = (part: Part) => onChange({ ...group, parts: parts.map((each) => (each.key === part.key ? part : each)) });
  const take = (part: Part) => onChange({ ...group, parts: parts.filter(({ key }) => key !== part.key) });
  const add = (part: Part) => onChange({ ...group, parts: [...parts, part] });
  const removal = (part: Part) => (parts.length > 1 || onRemove !== undefined ? () => take(part) : undefined);
  return (
    <div
      role="group"
      aria-label={words.group}
      className={
        depth === 1 ? 'flex flex-col gap-3' : 'flex flex-col gap-3 rounded-md border-l-4 border-brand bg-canvas p-3'
      }
    >
      <div className="flex items-end justify-between gap-2">
        <Field label={words.match}>
          <Select
            className="w-auto"
            value={match}
            onChange={(event) => onChange({ ...group, match: event.target.value as Group['match'] })}
          >
            <option value="all">{words.matches.all}</option>
            <option value="any">{words.matches.any}</option>
          </Select>
        </Field>
        {onRemove !== undefined && (
          <Button look="quiet" icon={Trash2} aria-label={words.removeGroup} onClick={onRemove} />
        )}
      </div>
      <ul className="flex flex-col gap-3">
        {parts.map((part) => {
          const remove = removal(part);
          return (
            <li key={part.key}>
              {part.type === 'condition' ? (
                <RuleCondition condition={part} fields={fields} onChange={put} {...(remove && { onRemove: remove })} />
              ) : (
                <RuleGroup group={part} fields={fields} onChange={put} onRemove={() => take(part)} depth={depth + 1} />
              )}
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus} onClick={() => add(newCondition())}>
          {words.addCondition}
        </Button>
        {depth < DEEPEST && (
          <Button look="quiet" icon={FolderPlus} onClick={() => add(newGroup(match === 'all' ? 'any' : 'all'))}>
            {words.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}
