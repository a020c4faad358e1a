import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';
import type { Filters } from '../segments/rule.ts';
import { RuleEditor } from '../segments/rule-editor.tsx';
import { useDraft, writtenOf } from '../segments/use-draft.ts';

interface FilterDialogProps {
  filters: Filters | null;
  onApply(filters: Filters): void;
  onClose(): void;
}

/** The same rules that segments have, for one look. */
export function FilterDialog({ filters, onApply, onClose }: FilterDialogProps) {
  const [begun] = useState(() => writtenOf(filters));
  const draft = useDraft(begun);
  const known = draft.counting.isPlaceholderData ? undefined : draft.counting.data?.data.filters;
  const ready = draft.wish !== null && 'filters' in draft.wish ? draft.wish.filters : known;
  return (
    <Dialog open wide onClose={onClose} title={words.filtersTitle}>
      <RuleEditor draft={draft} />
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="primary"
          disabled={draft.wish === null || ready === undefined}
          onClick={() => ready && onApply(ready)}
        >
          {words.applyFilters}
        </Button>
      </Actions>
    </Dialog>
  );
}
