import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/email/webhooks.ts';

/** Shows a secret, once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog open firm onClose={onClose} title={words.secretTitle} lead={words.secretLead}>
      <CopyText label={words.secret} value={secret} />
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.kept}
        </Button>
      </Actions>
    </Dialog>
  );
}
