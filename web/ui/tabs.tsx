import { Link, type LinkProps } from '@tanstack/react-router';
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

const TAB =
  'inline-block border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-soft hover:text-ink data-[state=active]:border-brand data-[state=active]:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink';

/** The pages of one thing, each with an address of its own. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly ({ label: string } & LinkProps)[] }) {
  return (
    <nav aria-label={label} className="overflow-x-auto border-b" data-print="no">
      <ul className="flex gap-1">
        {tabs.map(({ label: words, ...link }) => (
          <li key={words}>
            <Link
              {...link}
              activeOptions={{ exact: true, includeSearch: link.search !== undefined }}
              activeProps={{ 'aria-current': 'page' }}
              className={TAB}
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly { value: string; label: string; content: ReactNode }[];
}

/** Parts of one page of which one is in sight. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Radix.Root {...(tabs[0] === undefined ? {} : { defaultValue: tabs[0].value })}>
      <Radix.List aria-label={label} className="mb-4 flex gap-1 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={TAB}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
