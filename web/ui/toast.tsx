import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { problemOf } from '../api/problem.ts';
import { onForget } from '../session/session.ts';
import { words } from '../words/shared.ts';
import { classes } from './classes.ts';

interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
  undo?: () => void;
}

const PLAIN_MS = 5_000;
/** Long enough to notice a mistake and to reach the button by keyboard. */
const UNDO_MS = 12_000;

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function change(to: readonly Toast[]): void {
  toasts = to;
  for (const listener of listeners) listener();
}

// What one person was told, or may take back, is not for the next one.
onForget(() => change([]));

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function show(toast: Omit<Toast, 'id'>, ms: number): void {
  const id = next;
  next += 1;
  change([...toasts.slice(-3), { ...toast, id }]);
  setTimeout(() => dismiss(id), ms);
}

/** Says that something is done, with a way to take it back where there is one. */
export function tell(text: string, undo?: () => void): void {
  show({ text, tone: 'plain', ...(undo === undefined ? {} : { undo }) }, undo === undefined ? PLAIN_MS : UNDO_MS);
}

/** Says that something did not work, where no place on the page is better. */
export function tellProblem(error: unknown): void {
  show({ text: problemOf(error).message, tone: 'bad' }, UNDO_MS);
}

/** Where notices appear. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div
      role="region"
      aria-label={words.notices}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, text, tone, undo }) => (
        <div
          key={id}
          className={classes(
            'pointer-events-auto flex w-full max-w-md items-center gap-3 rounded-md border px-4 py-3 text-sm shadow-lg',
            tone === 'bad' ? 'border-bad bg-bad-soft text-bad' : 'border-line-strong bg-surface text-ink',
          )}
        >
          <p className="grow">{text}</p>
          {undo !== undefined && (
            <button
              type="button"
              className="font-semibold text-brand underline underline-offset-2"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              {words.undo}
            </button>
          )}
          <button
            type="button"
            aria-label={words.dismiss}
            className="rounded p-1 hover:bg-sunken"
            onClick={() => dismiss(id)}
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
      ))}
    </div>
  );
}
