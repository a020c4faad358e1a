import { type ReactNode, useEffect, useState } from 'react';
import { Checkbox } from './field.tsx';

interface SavedCheckboxProps {
  label: ReactNode;
  hint?: ReactNode;
  disabled: boolean;
  /** What the server holds. */
  saved: boolean;
  /** Whether a change is on its way there. */
  busy: boolean;
  save: (checked: boolean) => void;
}

/** A checkbox that is saved as soon as it is set, and shows what was asked for until the server has answered. */
export function SavedCheckbox({ label, hint, disabled, saved, busy, save }: SavedCheckboxProps) {
  // Set in the click itself: that a call is under way is heard of a moment later, and the box would jump back meanwhile.
  const [asked, setAsked] = useState<boolean>();
  useEffect(() => {
    if (!busy) setAsked(undefined);
  }, [busy]);
  return (
    <Checkbox
      label={label}
      hint={hint}
      disabled={disabled || busy}
      checked={asked ?? saved}
      onChange={({ target }) => {
        setAsked(target.checked);
        save(target.checked);
      }}
    />
  );
}
