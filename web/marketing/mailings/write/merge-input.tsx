import { type ReactNode, useRef } from 'react';
import { Field, Input, Textarea } from '../../../ui/field.tsx';
import type { MergeField } from './merge-fields.ts';
import { MergeMenu } from './merge-menu.tsx';

interface MergeInputProps {
  label: string;
  value: string;
  onChange(value: string): void;
  fields: readonly MergeField[];
  refusePhi?: boolean;
  rows?: number;
  hint?: ReactNode;
  problem?: string | undefined;
  optional?: boolean;
}

/** A text in which fields of people may stand, put in where the cursor is. */
export function MergeInput({ label, value, onChange, fields, refusePhi = false, rows = 1, ...rest }: MergeInputProps) {
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const put = (mustache: string) => {
    const { selectionStart, selectionEnd } = control.current ?? {};
    const from = selectionStart ?? value.length;
    onChange(value.slice(0, from) + mustache + value.slice(selectionEnd ?? from));
    // The menu gives the focus back to its button first.
    requestAnimationFrame(() => {
      control.current?.focus();
      control.current?.setSelectionRange(from + mustache.length, from + mustache.length);
    });
  };
  const Control = rows > 1 ? Textarea : Input;
  return (
    <Field label={label} {...rest}>
      <MergeControl label={label} fields={fields} refusePhi={refusePhi} onPick={put}>
        <Control
          ref={control}
          value={value}
          {...(rows > 1 ? { rows } : {})}
          onChange={(event: { target: { value: string } }) => onChange(event.target.value)}
        />
      </MergeControl>
    </Field>
  );
}

interface MergeControlProps {
  label: string;
  fields: readonly MergeField[];
  refusePhi: boolean;
  onPick(mustache: string): void;
  children: ReactNode;
}

function MergeControl({ label, fields, refusePhi, onPick, children }: MergeControlProps) {
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 grow">{children}</div>
      <MergeMenu into={label} fields={fields} refusePhi={refusePhi} onPick={onPick} />
    </div>
  );
}
