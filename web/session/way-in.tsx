import { type ReactNode, useEffect } from 'react';
import { words } from '../words/shared.ts';

/** The narrow page that everything on the way in stands on. */
export function WayIn({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 px-4 py-10">
      <div className="flex items-center gap-2">
        <img src="/app/-/icon.svg" alt="" className="size-9" />
        <span className="text-lg font-semibold">{words.product}</span>
      </div>
      <div className="flex flex-col gap-4 rounded-lg border bg-surface p-6">
        <div>
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead !== undefined && <p className="mt-1 text-sm text-soft">{lead}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}

/** A quiet way to something else. */
export function Aside({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button type="button" onClick={onClick} className="self-start text-sm text-brand underline underline-offset-2">
      {children}
    </button>
  );
}
