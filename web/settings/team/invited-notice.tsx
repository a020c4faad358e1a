import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/settings/team.ts';

/** Says that an invitation is under way, or shows the link where no mail leaves. */
export function InvitedNotice({ who, url, onClose }: { who: string; url: string | undefined; onClose(): void }) {
  const lead = url === undefined ? words.invitedByMail : words.invitedBySandbox;
  return (
    <Dialog open onClose={onClose} title={words.invited(who)} lead={lead}>
      {url !== undefined && <CopyText label={words.setupLink} value={url} />}
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.done}
        </Button>
      </Actions>
    </Dialog>
  );
}
