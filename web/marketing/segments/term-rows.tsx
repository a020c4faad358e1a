import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/segments.ts';

interface TermRowsProps {
  terms: readonly string[];
  onChange(terms: string[]): void;
  mayBeMany: boolean;
  children(term: string, change: (term: string) => void): ReactNode;
}

/** Values of which one has to fit, each in a row of its own. */
export function TermRows({ terms, onChange, mayBeMany, children }: TermRowsProps) {
  return (
    <div className="flex min-w-0 grow flex-col gap-2">
      {[...terms.entries()].map(([at, term]) => (
        <div key={at} className="flex items-center gap-1">
          {children(term, (next) => onChange([...terms].with(at, next)))}
          {terms.length > 1 && (
            <Button
              look="quiet"
              icon={X}
              aria-label={words.removeValue}
              onClick={() => onChange([...terms].toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
      {mayBeMany && (
        <button
          type="button"
          className="inline-flex min-h-6 items-center gap-1 self-start rounded text-sm text-brand underline-offset-2 hover:underline"
          onClick={() => onChange([...terms, ''])}
        >
          <Plus aria-hidden className="size-3.5" />
          {words.orAnother}
        </button>
      )}
    </div>
  );
}
