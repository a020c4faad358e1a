import { useForm } from 'react-hook-form';
import { fieldProblem, isAbout } from '../api/field-problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { Actions, Dialog } from '../ui/dialog.tsx';
import { Field, Input, Select, Textarea } from '../ui/field.tsx';
import { Loaded, Problem } from '../ui/problem.tsx';
import { tell } from '../ui/toast.tsx';
import { words as all } from '../words/oversight.ts';
import { words as shared } from '../words/shared.ts';

const words = all.emergency;

/** Asks for emergency access to one customer. */
export function AskForAccess({ onClose }: { onClose(): void }) {
  const customers = useRead('listCustomers', {});
  const ask = useWrite('askForBreakGlass', {
    stale: ['listBreakGlass'],
    lasting: true,
    onDone: () => {
      tell(words.asked);
      onClose();
    },
  });
  const { register, handleSubmit } = useForm({ defaultValues: { customer: '', reason: '', minutes: '60' } });
  const submit = handleSubmit(({ customer, reason, minutes }) =>
    ask.mutate({ body: { customer_id: Number(customer), reason, minutes: Number(minutes) } }),
  );
  return (
    <Dialog open onClose={onClose} title={words.ask} lead={words.askLead}>
      <Loaded read={customers}>
        {({ data }) => (
          <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
            <Field label={words.customer}>
              <Select required {...register('customer')}>
                <option value="" />
                {data.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label={words.reason} hint={words.reasonHint} problem={fieldProblem(ask.error, 'reason')}>
              <Textarea required minLength={10} maxLength={1000} {...register('reason')} />
            </Field>
            <Field label={words.length} hint={words.lengthHint}>
              <Input type="number" required min={1} max={240} {...register('minutes')} />
            </Field>
            {ask.error !== null && !isAbout(ask.error, 'reason') && <Problem error={ask.error} />}
            <Actions>
              <Button onClick={onClose}>{shared.cancel}</Button>
              <Button type="submit" look="primary" busy={ask.isPending}>
                {words.ask}
              </Button>
            </Actions>
          </form>
        )}
      </Loaded>
    </Dialog>
  );
}
