import { useForm } from 'react-hook-form';
import type { Reply } from '../api/client.ts';
import { fieldProblem, isAbout } from '../api/field-problem.ts';
import { useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { tell } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';
import { words as shared } from '../words/shared.ts';

const words = all.emergency;

/** Who is told of emergency access, and how often activity is reviewed. */
export function Contacts({ set, mayChange }: { set: Reply<'readOversight'>; mayChange: boolean }) {
  const save = useWrite('setOversight', { stale: ['readOversight'], onDone: () => tell(words.saved) });
  const { register, handleSubmit } = useForm({
    defaultValues: {
      contact: set.security_contact ?? '',
      days: String(set.review_days),
      due: String(set.review_due_days),
    },
  });
  const submit = handleSubmit(({ contact, days, due }) =>
    save.mutate({
      body: { security_contact: contact || null, review_days: Number(days), review_due_days: Number(due) },
    }),
  );
  return (
    <Card title={words.contacts} lead={words.contactsLead}>
      <form className="flex max-w-xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={words.contact}
          hint={words.contactHint}
          optional
          problem={fieldProblem(save.error, 'security_contact')}
        >
          <Input type="email" autoComplete="off" maxLength={254} disabled={!mayChange} {...register('contact')} />
        </Field>
        <Field label={words.reviewDays} hint={words.reviewDaysHint}>
          <Input type="number" required min={7} max={90} disabled={!mayChange} {...register('days')} />
        </Field>
        <Field label={words.dueDays} hint={words.dueDaysHint}>
          <Input type="number" required min={1} max={30} disabled={!mayChange} {...register('due')} />
        </Field>
        {save.error !== null && !isAbout(save.error, 'security_contact') && <Problem error={save.error} />}
        {mayChange && (
          <div>
            <Button type="submit" look="primary" busy={save.isPending}>
              {shared.save}
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
