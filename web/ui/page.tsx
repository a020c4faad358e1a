import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { words } from '../words/shared.ts';
import { classes } from './classes.ts';

interface PageProps {
  title: string;
  /** Stands in the tab and the history of the browser instead, where the title tells of a person. */
  tabTitle?: string;
  lead?: ReactNode;
  /** What can be done here, on the right of the title. */
  actions?: ReactNode;
  back?: { label: string } & LinkProps;
  /** Takes the whole width, for tables and canvases. */
  wide?: boolean;
  children: ReactNode;
}

/** A page of a room: what it is, what can be done, and the rest below. */
export function Page({ title, tabTitle = title, lead, actions, back, wide = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${tabTitle} · ${words.product}`;
  }, [tabTitle]);
  return (
    <div className={classes('mx-auto flex w-full flex-col gap-5 px-4 py-6 sm:px-8', !wide && 'max-w-5xl')}>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          {back !== undefined && <BackLink {...back} />}
          <h1 className="text-2xl font-semibold tracking-tight break-words">{title}</h1>
          {lead !== undefined && <p className="mt-1 max-w-prose text-soft">{lead}</p>}
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-2" data-print="no">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  );
}

function BackLink({ label, ...rest }: { label: string } & LinkProps) {
  return (
    <Link
      {...rest}
      className="mb-1 inline-flex items-center gap-1 text-sm text-brand underline-offset-2 hover:underline"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {label}
    </Link>
  );
}

interface CardProps {
  title?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A part of a page with its own heading. */
export function Card({ title, lead, actions, children, className }: CardProps) {
  return (
    <section className={classes('rounded-lg border bg-surface p-4 sm:p-5', className)} aria-label={title}>
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-3 flex flex-wrap items-start justify-between gap-2">
          <div>
            {title !== undefined && <h2 className="text-base font-semibold">{title}</h2>}
            {lead !== undefined && <p className="text-sm text-soft">{lead}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Names and values of one thing. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[minmax(8rem,auto)_1fr]">
      {facts.map(([label, value]) => (
        <div key={label} className="sm:contents">
          <dt className="text-sm text-soft">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
