import { useWrite } from '../../api/query.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/team.ts';
import { words as shared } from '../../words/shared.ts';
import type { Member } from './page.tsx';

/** Removes somebody, after saying what ends with them. */
export function RemoveMember({ member, onClose }: { member: Member; onClose(): void }) {
  const who = member.name || member.email;
  const remove = useWrite('removeMember', {
    stale: ['listTeam', 'listApiKeys'],
    onDone: () => {
      tell(words.removed(who));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.removeTitle(who)} lead={words.removeLead(member.keys)}>
      {member.keys > 0 && <Notice tone="warn">{words.removeKeys}</Notice>}
      {remove.error !== null && <Problem error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id: member.id } })}>
          {words.remove}
        </Button>
      </Actions>
    </Dialog>
  );
}
