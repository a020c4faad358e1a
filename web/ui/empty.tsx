import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  /** What to do about it. */
  children: ReactNode;
  action?: ReactNode;
}

/** Stands where there is nothing yet, and says what to do. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line-strong bg-surface px-6 py-12 text-center">
      <Icon aria-hidden className="size-8 text-brand" />
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="max-w-md text-sm text-soft">{children}</p>
      {action !== undefined && <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  );
}
