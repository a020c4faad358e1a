import { useWrite } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words } from '../../words/settings/keys.ts';
import { words as shared } from '../../words/shared.ts';
import type { Key } from './page.tsx';

/** Ends a key, after saying what that means. */
export function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: Key; onClose(): void }) {
  const revoke = useWrite('revokeApiKey', {
    stale: ['listApiKeys', 'listTeam'],
    onDone: () => {
      tell(words.revoked(name));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.revokeTitle(name)} lead={words.revokeLead}>
      {revoke.error !== null && <Problem error={revoke.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate({ params: { id } })}>
          {words.revoke}
        </Button>
      </Actions>
    </Dialog>
  );
}
