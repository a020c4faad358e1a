import { useForm } from 'react-hook-form';
import { fieldProblem, isAbout } from '../api/field-problem.ts';
import { useWrite } from '../api/query.ts';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Actions, Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { words as all } from '../words/operator.ts';
import { words as shared } from '../words/shared.ts';

const words = all.customers;
const SHOWN = ['name', 'username', 'owner_email', 'email'];

/** Makes a customer and invites its owner. */
export function AddCustomer({ onClose }: { onClose(): void }) {
  const add = useWrite('createCustomer', { stale: ['listCustomers'], lasting: true });
  const { register, handleSubmit, getValues } = useForm({ defaultValues: { name: '', username: '', owner_email: '' } });
  if (add.data !== undefined) return <Added name={getValues('name')} url={add.data.setup_url} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={words.add} lead={words.addLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => void handleSubmit((customer) => add.mutate({ body: customer }))(event)}
      >
        <Field label={words.name} hint={words.nameHint} problem={fieldProblem(add.error, 'name')}>
          <Input autoComplete="off" required maxLength={200} {...register('name')} />
        </Field>
        <Field label={words.username} hint={words.usernameHint} problem={fieldProblem(add.error, 'username')}>
          <Input autoComplete="off" required maxLength={63} spellCheck={false} {...register('username')} />
        </Field>
        <Field label={words.ownerEmail} problem={fieldProblem(add.error, 'owner_email', 'email')}>
          <Input type="email" autoComplete="off" required maxLength={254} {...register('owner_email')} />
        </Field>
        {add.error !== null && !isAbout(add.error, ...SHOWN) && <Problem error={add.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {words.addNow}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function Added({ name, url, onClose }: { name: string; url: string | undefined; onClose(): void }) {
  const lead = url === undefined ? words.addedByMail : words.addedBySandbox;
  return (
    <Dialog open onClose={onClose} title={words.added(name)} lead={lead}>
      {url !== undefined && <CopyText label={words.setupLink} value={url} />}
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.done}
        </Button>
      </Actions>
    </Dialog>
  );
}
