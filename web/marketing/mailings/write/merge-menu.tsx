import { Braces } from 'lucide-react';
import { Menu } from '../../../ui/menu.tsx';
import { words } from '../../../words/mailings.ts';
import type { MergeField } from './merge-fields.ts';

interface MergeMenuProps {
  /** What it is put into. */
  into: string;
  fields: readonly MergeField[];
  /** Where health data would show to others than the reader. */
  refusePhi?: boolean;
  onPick(mustache: string): void;
}

/** Offers what is known of people, to be written into the mail. Health data is marked, and not offered in the open. */
export function MergeMenu({ into, fields, refusePhi = false, onPick }: MergeMenuProps) {
  return (
    <Menu
      label={words.insertField(into)}
      trigger={
        <>
          <Braces aria-hidden className="size-4" />
          <span className="sr-only">{words.insertField(into)}</span>
        </>
      }
      items={fields.map(({ label, mustache, isPhi }) => ({
        label: isPhi ? words.phiField(label, refusePhi) : label,
        disabled: isPhi && refusePhi,
        onSelect: () => onPick(mustache),
      }))}
    />
  );
}
