import { PageTabs } from '../../ui/tabs.tsx';
import { words } from '../../words/subscribers.ts';

/** The pages about subscribers. */
export function SubscriberTabs() {
  return (
    <PageTabs
      label={words.tabs}
      tabs={[
        { label: words.tabPeople, to: '/marketing/subscribers' },
        { label: words.tabFields, to: '/marketing/subscribers/fields' },
        { label: words.tabJobs, to: '/marketing/subscribers/jobs' },
      ]}
    />
  );
}
