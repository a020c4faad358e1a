import { useState } from 'react';
import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { undoBy } from '../../ui/undo.ts';
import { words } from '../../words/settings/team.ts';
import { words as shared } from '../../words/shared.ts';
import type { Member } from './page.tsx';
import { RoleChoice, type TeamRole } from './role-choice.tsx';

/** Gives somebody another role, which can be taken back at once. */
export function ChangeRole({ member, onClose }: { member: Member; onClose(): void }) {
  const before = member.role as TeamRole;
  const [role, setRole] = useState(before);
  const change = useWrite('changeMemberRole', { stale: ['listTeam'] });
  const who = member.name || member.email;
  const params = { id: member.id };
  const undo = undoBy('changeMemberRole', { params, body: { role: before } }, ['listTeam']);
  const save = () =>
    change.mutate(
      { params, body: { role } },
      {
        onSuccess: () => {
          tell(words.roleChanged(who, (words.roles[role] ?? role).toLowerCase()), undo);
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={words.changeRoleOf(who)}>
      <RoleChoice value={role} onChange={setRole} />
      {change.error !== null && <Problem error={change.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="primary" busy={change.isPending} disabled={role === before} onClick={save}>
          {shared.save}
        </Button>
      </Actions>
    </Dialog>
  );
}
