import { useEffect, useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { undoBy } from '../../ui/undo.ts';
import { words } from '../../words/settings/retention.ts';
import { words as shared } from '../../words/shared.ts';

/** How long submissions of new forms are kept. */
export function FormDefault({ days }: { days: number | null }) {
  const [kind, setKind] = useState<'good' | 'days'>(days === null ? 'good' : 'days');
  const [count, setCount] = useState(String(days ?? 2_555));
  // What is stored changes under the fields where it is saved and taken back.
  useEffect(() => {
    setKind(days === null ? 'good' : 'days');
    if (days !== null) setCount(String(days));
  }, [days]);
  const save = useWrite('setRetention', { stale: ['readRetention'] });
  const wanted = kind === 'good' ? null : Number(count);
  const submit = () =>
    save.mutate(
      { body: { form_default_days: wanted } },
      {
        onSuccess: () =>
          tell(words.saved, undoBy('setRetention', { body: { form_default_days: days } }, ['readRetention'])),
      },
    );
  return (
    <Card title={words.forms} lead={words.formsLead}>
      <form
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Choice
          legend={words.keep}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'good', label: words.forGood },
            { value: 'days', label: words.forDays },
          ]}
        />
        {kind === 'days' && (
          <Field label={words.days} hint={words.daysHint}>
            <Input
              type="number"
              inputMode="numeric"
              required
              min={1}
              max={36_500}
              className="max-w-40"
              value={count}
              onChange={(event) => setCount(event.currentTarget.value)}
            />
          </Field>
        )}
        {save.error !== null && <Problem error={save.error} />}
        <div>
          <Button type="submit" look="primary" busy={save.isPending} disabled={wanted === days}>
            {shared.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
