import { PageTabs } from '../../ui/tabs.tsx';
import { words } from '../../words/builder.ts';
import { useBuilder } from './builder-context.ts';
import { VIEWS } from './views.ts';

/** The parts of the builder. */
export function ViewTabs() {
  const { form } = useBuilder();
  return (
    <PageTabs
      label={words.views.label}
      tabs={VIEWS.map((view) => ({
        label: words.views[view],
        to: '/forms/$id/edit',
        params: { id: form.id },
        search: view === 'build' ? {} : { view },
      }))}
    />
  );
}
