import { Field, Input } from '../ui/field.tsx';
import { words } from '../words/session.ts';

interface NewPasswordProps {
  value: string;
  onChange(value: string): void;
  problem: string | undefined;
}

/** A field for a password that is to be chosen. */
export function NewPassword({ value, onChange, problem }: NewPasswordProps) {
  return (
    <Field label={words.newPassword} hint={words.passwordHint} problem={problem}>
      <Input
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={256}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
