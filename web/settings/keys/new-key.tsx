import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { words } from '../../words/settings/keys.ts';

/** A key, this once. */
export function NewKey({ value, onClose }: { value: string; onClose(): void }) {
  return (
    <Dialog open firm onClose={onClose} title={words.made}>
      <Notice tone="warn">{words.madeLead}</Notice>
      <CopyText label={words.key} value={value} />
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.stored}
        </Button>
      </Actions>
    </Dialog>
  );
}
