import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
import { words } from '../words/shared.ts';
import { classes } from './classes.ts';

const FieldContext = createContext<{ id: string; describedBy: string | undefined; invalid: boolean } | null>(null);

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value; said to screen readers as soon as it stands here. */
  problem?: string | undefined;
  optional?: boolean;
  /** Keeps the label for screen readers alone, where the place makes it plain. */
  hideLabel?: boolean;
  children: ReactNode;
  className?: string;
}

/** A label, a control, a hint and what is wrong. The control finds its label by itself. */
export function Field({ label, hint, problem, optional = false, hideLabel = false, children, className }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean);
  const describedBy = described.length > 0 ? described.join(' ') : undefined;
  return (
    <FieldContext value={{ id, describedBy, invalid: problem !== undefined }}>
      <div className={classes('flex flex-col gap-1', className)}>
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
          {label}
          {optional && <span className="font-normal text-soft"> ({words.optional})</span>}
        </label>
        {children}
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
        {problem !== undefined && (
          <p id={`${id}-problem`} role="alert" className="text-sm text-bad">
            {problem}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

function useField() {
  const field = use(FieldContext);
  return field === null
    ? {}
    : { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined };
}

const CONTROL =
  'w-full rounded-md border border-line-strong bg-surface px-3 py-1.5 min-h-[2.45rem] text-ink placeholder:text-soft aria-[invalid]:border-bad disabled:bg-sunken disabled:text-soft';

/** One line of text. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useField()} className={classes(CONTROL, className)} {...rest} />;
}

/** Several lines of text. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useField()} rows={rows} className={classes(CONTROL, className)} {...rest} />;
}

/** One of a few, by the browser's own list. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...useField()} className={classes(CONTROL, className)} {...rest}>
      {children}
    </select>
  );
}

/** A tick box with its own label; it stands outside of a Field. */
export function Checkbox({
  label,
  hint,
  className,
  ...rest
}: { label: ReactNode; hint?: ReactNode } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={classes('flex items-start gap-2', className)}>
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-brand"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...rest}
      />
      <div className="flex flex-col">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </span>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  legend: string;
  value: Value;
  options: readonly { value: NoInfer<Value>; label: string; hint?: string }[];
  onChange(value: NoInfer<Value>): void;
  inline?: boolean;
}

/** One of a few that are all in sight. */
export function Choice<Value extends string>({ legend, value, options, onChange, inline = false }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className={inline ? 'flex flex-wrap gap-4' : 'flex flex-col gap-2'}>
        {options.map((option) => (
          <label key={option.value} className="flex items-start gap-2 text-sm">
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 shrink-0 accent-brand"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>
              {option.label}
              {option.hint !== undefined && <span className="block text-soft">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
