import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/team.ts';
import { words as shared } from '../../words/shared.ts';
import type { Member } from './page.tsx';

/** Lets somebody who lost every second factor set up a new one. */
export function ResetFactors({ member, onClose }: { member: Member; onClose(): void }) {
  const who = member.name || member.email;
  const reset = useWrite('resetMemberFactors', {
    stale: ['listTeam'],
    onDone: () => {
      tell(words.resetDone(who));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.resetTitle(who)} lead={words.resetLead}>
      {reset.error !== null && <Problem error={reset.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="danger" busy={reset.isPending} onClick={() => reset.mutate({ params: { id: member.id } })}>
          {words.resetFactors}
        </Button>
      </Actions>
    </Dialog>
  );
}
