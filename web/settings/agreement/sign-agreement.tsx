import { useForm } from 'react-hook-form';
import { useWrite } from '../../api/query.ts';
import { loadSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Input } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/agreement.ts';

/** Where an owner signs. */
export function SignAgreement({ version, inForce }: { version: string; inForce: boolean }) {
  const { register, handleSubmit, reset } = useForm({ defaultValues: { name: '', title: '', accepted: false } });
  const sign = useWrite('signAgreement', {
    stale: ['readAgreement', 'listAgreements', 'readHome', 'readCustomer'],
    lasting: true,
    onDone: () => {
      reset();
      tell(words.signed);
      void loadSession();
    },
  });
  const fields = sign.error?.fields ?? {};
  const submit = handleSubmit(({ name, title }) =>
    sign.mutate({ body: { signer_name: name, signer_title: title, accepted: true, version } }),
  );
  return (
    <Card title={inForce ? words.signAgain : words.sign} lead={inForce ? words.signAgainLead : words.signLead}>
      <form className="flex max-w-xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field label={words.name} problem={fields.signer_name?.[0]}>
          <Input autoComplete="name" required maxLength={200} {...register('name')} />
        </Field>
        <Field label={words.jobTitle} hint={words.jobTitleHint} problem={fields.signer_title?.[0]}>
          <Input autoComplete="organization-title" required maxLength={200} {...register('title')} />
        </Field>
        <Checkbox label={words.accept} required {...register('accepted')} />
        {sign.error !== null && Object.keys(fields).length === 0 && <Problem error={sign.error} />}
        <div>
          <Button type="submit" look="primary" busy={sign.isPending}>
            {words.signNow}
          </Button>
        </div>
      </form>
    </Card>
  );
}
