import { Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { words } from '../../words/segments.ts';
import { comparisonLabel, comparisonsOf, firstTerms, wantedBy } from './comparisons.ts';
import { fieldNamed, type RuleField } from './fields.ts';
import type { Condition } from './rule.ts';
import { RuleTerms } from './rule-terms.tsx';

interface RuleConditionProps {
  condition: Condition;
  fields: readonly RuleField[];
  onChange(condition: Condition): void;
  onRemove?: () => void;
}

/** One condition: what is looked at, how it is compared, and with what. */
export function RuleCondition({ condition, fields, onChange, onRemove }: RuleConditionProps) {
  const field = fieldNamed(fields, condition.field);
  const chooseField = (name: string) => {
    const next = fieldNamed(fields, name);
    const op = next.kind === 'text' ? 'contains' : 'is';
    onChange({ ...condition, field: name, op, terms: firstTerms(next.kind, op) });
  };
  const chooseOp = (op: string) => {
    const isAlike = wantedBy(field.kind, op) === wantedBy(field.kind, condition.op);
    onChange({ ...condition, op, terms: isAlike ? condition.terms : firstTerms(field.kind, op) });
  };
  return (
    <div role="group" aria-label={words.condition} className="flex items-start gap-1 rounded-md border bg-surface p-3">
      <div className="flex min-w-0 grow flex-wrap items-start gap-2">
        <Field label={words.field} hideLabel className="grow basis-40">
          <Select value={condition.field} onChange={(event) => chooseField(event.target.value)}>
            <FieldOptions fields={fields} current={field} />
          </Select>
        </Field>
        <Field label={words.comparison} hideLabel className="grow basis-36">
          <Select value={condition.op} onChange={(event) => chooseOp(event.target.value)}>
            <ComparisonOptions field={field} current={condition.op} />
          </Select>
        </Field>
        <div className="min-w-0 grow-2 basis-52">
          <RuleTerms
            kind={field.kind}
            op={condition.op}
            terms={condition.terms}
            onChange={(terms) => onChange({ ...condition, terms })}
          />
        </div>
      </div>
      {onRemove !== undefined && (
        <Button look="quiet" icon={Trash2} aria-label={words.removeCondition} onClick={onRemove} />
      )}
    </div>
  );
}

const GROUPS = ['person', 'behaviour', 'own'] as const;

function FieldOptions({ fields, current }: { fields: readonly RuleField[]; current: RuleField }) {
  const all = fields.some(({ name }) => name === current.name) ? fields : [...fields, current];
  return GROUPS.map((group) => {
    const among = all.filter((field) => field.group === group);
    return among.length === 0 ? null : (
      <optgroup key={group} label={words.fieldGroups[group]}>
        {among.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </optgroup>
    );
  });
}

function ComparisonOptions({ field: { kind }, current }: { field: RuleField; current: string }) {
  return comparisonsOf(kind, current).map(({ label, ops }) => {
    const options = ops.map((op) => (
      <option key={op} value={op}>
        {comparisonLabel(kind, op)}
      </option>
    ));
    return label === null ? (
      options
    ) : (
      <optgroup key={label} label={label}>
        {options}
      </optgroup>
    );
  });
}
