import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/settings/team.ts';
import { words as shared } from '../../words/shared.ts';
import { InvitedNotice } from './invited-notice.tsx';
import { RoleChoice, type TeamRole } from './role-choice.tsx';

/** Invites somebody by mail; in the sandbox the link is shown instead. */
export function InvitePerson({ onClose }: { onClose(): void }) {
  const [role, setRole] = useState<TeamRole>('editor');
  const invite = useWrite('inviteMember', { stale: ['listTeam'], lasting: true });
  const { register, handleSubmit, getValues } = useForm({ defaultValues: { email: '', name: '' } });
  if (invite.data !== undefined)
    return <InvitedNotice who={getValues('name')} url={invite.data.setup_url} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={words.invite} lead={words.inviteLead}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => void handleSubmit((person) => invite.mutate({ body: { ...person, role } }))(event)}
      >
        <Field label={words.name} problem={fieldProblem(invite.error, 'name')}>
          <Input autoComplete="off" required maxLength={200} {...register('name')} />
        </Field>
        <Field label={words.email} problem={fieldProblem(invite.error, 'email')}>
          <Input type="email" autoComplete="off" required maxLength={254} {...register('email')} />
        </Field>
        <RoleChoice value={role} onChange={setRole} />
        {invite.error !== null && !isAbout(invite.error, 'name', 'email') && <Problem error={invite.error} />}
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            {words.send}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
