import { useParams, useSearch } from '@tanstack/react-router';
import { useAnew } from '../../api/query.ts';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/builder.ts';
import { FormBuilder } from './form-builder.tsx';
import type { View } from './views.ts';

/** The builder of one form. */
export function EditFormPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { view } = useSearch({ strict: false }) as { view?: View };
  // What others save from now on is told when this is saved, and never put under somebody's hands.
  const form = useAnew('readForm', { params: { id } });
  if (form.data === undefined) {
    return (
      <Page title={words.canvas} back={{ label: words.forms, to: '/forms/all' }}>
        <Loaded read={form}>{() => null}</Loaded>
      </Page>
    );
  }
  return <FormBuilder form={form.data.data} view={view ?? 'build'} />;
}
