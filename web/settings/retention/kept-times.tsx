import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { fieldProblem } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/retention.ts';
import { words as shared } from '../../words/shared.ts';

type Kept = Reply<'readRetention'>;
type Name = keyof Kept['operator'];

const NAMES: readonly Name[] = [
  'content_days',
  'log_days',
  'webhook_days',
  'work_days',
  'marketing_days',
  'sandbox_days',
  'audit_years',
];

/** How long each class of records is kept; an empty field is as long as the operator says. */
export function KeptTimes({ kept }: { kept: Kept }) {
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({});
  const save = useWrite('setRetention', { stale: ['readRetention'] });
  const shown = (name: Name) => typed[name] ?? String(kept[name] ?? '');
  const submit = () => {
    const body = Object.fromEntries(
      Object.entries(typed).map(([name, text]) => [name, text.trim() === '' ? null : Number(text)]),
    );
    save.mutate(
      { body },
      {
        onSuccess: () => {
          setTyped({});
          tell(words.timesSaved);
        },
      },
    );
  };
  const hintOf = (name: Name) => {
    const most = kept.operator[name];
    if (name === 'audit_years') return words.auditHint(most);
    return name === 'marketing_days' ? words.marketingHint(most, kept.mailing_days) : words.atMost(most);
  };
  const isField = NAMES.some((name) => fieldProblem(save.error, name) !== undefined);
  return (
    <Card title={words.times} lead={words.timesLead}>
      <form
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {NAMES.map((name) => (
          <Field key={name} label={words.classes[name]} hint={hintOf(name)} problem={fieldProblem(save.error, name)}>
            <Input
              type="number"
              inputMode="numeric"
              min={name === 'audit_years' ? 6 : 1}
              max={name === 'audit_years' ? 100 : kept.operator[name]}
              placeholder={String(kept.operator[name])}
              className="max-w-40"
              value={shown(name)}
              onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            />
          </Field>
        ))}
        {save.error !== null && !isField && <Problem error={save.error} />}
        <div>
          <Button type="submit" look="primary" busy={save.isPending} disabled={Object.keys(typed).length === 0}>
            {shared.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
