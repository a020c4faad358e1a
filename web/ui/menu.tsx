import type { LucideIcon } from 'lucide-react';
import { EllipsisVertical } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
}

/** A button that opens a short list of things to do. */
export function Menu({ label, items, trigger }: { label: string; items: readonly MenuItem[]; trigger?: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger
        aria-label={trigger === undefined ? label : undefined}
        className="inline-flex min-h-9 max-w-full items-center gap-2 rounded-md px-2 py-1.5 hover:bg-sunken"
      >
        {trigger ?? <EllipsisVertical aria-hidden className="size-5" />}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-md border bg-surface p-1 text-sm text-ink shadow-lg"
        >
          {items.map(({ label: words, icon: Icon, danger, disabled, onSelect }) => (
            <Radix.Item
              key={words}
              disabled={disabled === true}
              onSelect={onSelect}
              className={classes(
                'flex cursor-pointer items-center gap-2 rounded px-3 py-2 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunken',
                danger === true && 'text-bad',
              )}
            >
              {Icon && <Icon aria-hidden className="size-4" />}
              {words}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
