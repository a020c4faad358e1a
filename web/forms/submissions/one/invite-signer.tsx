import { useForm } from 'react-hook-form';
import { useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/forms/submission.ts';
import { words as shared } from '../../../words/shared.ts';

interface InviteSignerProps {
  params: { id: string; sid: string };
  open: boolean;
  onClose(): void;
}

interface Asked {
  role: string;
  email: string;
  name: string;
}

/** Mails somebody a link by which they sign a submission. */
export function InviteSigner({ params, open, onClose }: InviteSignerProps) {
  const { register, handleSubmit, reset } = useForm<Asked>({ defaultValues: { role: '', email: '', name: '' } });
  const invite = useWrite('inviteSigner', {
    stale: ['listSigners', 'readSubmission'],
    onDone: () => {
      reset();
      onClose();
      tell(words.invited);
    },
  });
  const problems = invite.error?.fields ?? {};
  const isElsewhere = invite.error !== null && Object.keys(problems).length === 0;
  return (
    <Dialog open={open} onClose={onClose} title={words.invite} lead={words.inviteLead}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) =>
          void handleSubmit((asked) => invite.mutate({ params, body: { ...asked, name: asked.name || null } }))(event)
        }
      >
        <Field label={words.role} hint={words.roleHint} problem={problems['role']?.[0]}>
          <Input required maxLength={100} {...register('role')} />
        </Field>
        <Field label={words.email} problem={problems['email']?.[0]}>
          <Input type="email" required {...register('email')} />
        </Field>
        <Field label={words.name} optional problem={problems['name']?.[0]}>
          <Input maxLength={200} {...register('name')} />
        </Field>
        {isElsewhere && <Problem error={invite.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            {words.sendInvite}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
