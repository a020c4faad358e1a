import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/blocks.ts';
import { words as shared } from '../../../words/shared.ts';

interface LinkDialogProps {
  href: string;
  onSet(href: string): void;
  onClose(): void;
}

/** Asks where a link leads. */
export function LinkDialog({ href, onSet, onClose }: LinkDialogProps) {
  const [address, setAddress] = useState(href === '' ? 'https://' : href);
  return (
    <Dialog open onClose={onClose} title={words.format.linkTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // The form of the page around must not be sent with it.
          event.stopPropagation();
          onSet(address.trim());
        }}
      >
        <Field label={words.format.linkField} hint={words.fields.urlHint}>
          <Input
            value={address}
            required
            pattern="(https?://|mailto:|tel:|\{\{).+"
            onChange={(event) => setAddress(event.target.value)}
          />
        </Field>
        <Actions>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button type="submit" look="primary">
            {words.format.setLink}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
