import { Link, type LinkProps } from '@tanstack/react-router';
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

const LOOKS: Record<Look, string> = {
  primary: 'bg-brand text-on-brand hover:brightness-110 border-transparent',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-surface text-bad border-bad hover:bg-bad-soft',
};

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md border px-3 py-1.5 min-h-9 text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-60 disabled:cursor-not-allowed';

interface Face {
  look?: Look;
  icon?: LucideIcon;
  children?: ReactNode;
}

/** A button; while `busy` it cannot be pressed again. An icon alone needs an aria-label. */
export function Button({
  look = 'secondary',
  icon: Icon,
  busy = false,
  type = 'button',
  className,
  children,
  disabled,
  ...rest
}: Face & { busy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      type={type}
      className={classes(BASE, LOOKS[look], className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        Icon && <Icon aria-hidden className="size-4" />
      )}
      {children}
    </button>
  );
}

/** A link within the dashboard that looks like a button. */
export function ButtonLink({ look = 'secondary', icon: Icon, children, ...rest }: Face & LinkProps) {
  return (
    <Link className={classes(BASE, LOOKS[look])} {...rest}>
      {Icon && <Icon aria-hidden className="size-4" />}
      {children}
    </Link>
  );
}

/** A link to a file or to a page outside of the dashboard that looks like a button. */
export function ButtonAnchor({
  look = 'secondary',
  icon: Icon,
  children,
  className,
  ...rest
}: Face & ComponentProps<'a'>) {
  return (
    <a className={classes(BASE, LOOKS[look], className)} {...rest}>
      {Icon && <Icon aria-hidden className="size-4" />}
      {children}
    </a>
  );
}
