import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { words } from '../words/shared.ts';
import { classes } from './classes.ts';
import { goBackOnTrail } from './focus-trail.ts';

interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  lead?: ReactNode;
  /** Slides in from the side and keeps the page in sight. */
  side?: boolean;
  wide?: boolean;
  /** Closes by its buttons alone, for what is shown only this once. */
  firm?: boolean;
  /** A click beside it does not close it, though nothing in it was changed: it comes up while somebody is clicking. */
  steady?: boolean;
  /** What is changed in it counts at once or not at all, so that a click beside it closes it all the same. */
  live?: boolean;
  children: ReactNode;
}

/**
 * A window over the page. It keeps the focus and gives it back. Unless it is firm, it closes with Escape, which asks first
 * where text of several lines was written, and, while nothing in it was changed that would be lost, by a click beside it.
 */
export function Dialog({
  open,
  onClose,
  title,
  lead,
  side = false,
  wide = false,
  firm = false,
  steady = false,
  live = false,
  children,
}: DialogProps) {
  const isChanged = useRef(false);
  const isWritten = useRef(false);
  const mayGo = () => !firm && (!isWritten.current || window.confirm(words.unsaved));
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          onInput={({ target }) => {
            isChanged.current = !live;
            isWritten.current ||= target instanceof HTMLTextAreaElement;
          }}
          onInteractOutside={(event) => (firm || steady || isChanged.current) && event.preventDefault()}
          onEscapeKeyDown={(event) => !mayGo() && event.preventDefault()}
          onOpenAutoFocus={beginInFirstField}
          onCloseAutoFocus={(event) => {
            isChanged.current = false;
            isWritten.current = false;
            goBack(event);
          }}
          className={classes(
            'fixed z-50 flex flex-col gap-4 overflow-y-auto bg-surface p-5 text-ink shadow-xl',
            side
              ? 'inset-y-0 right-0 w-full max-w-md border-l'
              : 'top-1/2 left-1/2 max-h-[90dvh] w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 rounded-lg border',
            !side && (wide ? 'max-w-3xl' : 'max-w-lg'),
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <div>
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {lead !== undefined && <Radix.Description className="text-sm text-soft">{lead}</Radix.Description>}
            </div>
            <Radix.Close aria-label={words.close} className="rounded-md p-1.5 hover:bg-sunken">
              <X aria-hidden className="size-5" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A form that is still on its way gets the focus once it is there, unless somebody has gone elsewhere by then. */
function beginInFirstField(event: Event): void {
  event.preventDefault();
  const content = event.currentTarget as HTMLElement;
  const start = firstField(content) ?? content;
  start.focus();
  if (start !== content) return;
  const waiting = new MutationObserver(() => {
    if (document.activeElement === content) firstField(content)?.focus();
    if (document.activeElement !== content) waiting.disconnect();
  });
  waiting.observe(content, { childList: true, subtree: true });
}

function firstField(content: HTMLElement): HTMLElement | null {
  const first = content.querySelector<HTMLElement>(':is(input, select, textarea):enabled:not([type=hidden])');
  const chosen = first?.closest('fieldset')?.querySelector<HTMLElement>('[type=radio]:checked:enabled');
  return chosen ?? first;
}

/** Radix knows only openers that it made itself. */
function goBack(event: Event): void {
  event.preventDefault();
  goBackOnTrail();
}

/** The buttons at the end of a dialog or a form. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 pt-2">{children}</div>;
}
