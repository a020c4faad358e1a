import { useParams } from '@tanstack/react-router';
import { ExternalLink, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { useMay } from '../../session/session.ts';
import { ButtonAnchor, ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { words } from '../../words/forms/form.ts';
import { FormState } from './state.tsx';

export type Form = Reply<'readForm'>['data'];

/** The form that the address names. */
function useFormId(): string {
  return (useParams({ strict: false }) as { id?: string }).id ?? '';
}

/** What stands around every page of one form: its name, its state and the tabs. */
export function FormFrame({ actions, children }: { actions?: ReactNode; children(form: Form): ReactNode }) {
  const id = useFormId();
  const mayEdit = useMay('editor');
  const read = useRead('readForm', { params: { id } });
  const form = read.data?.data;
  const params = { id };
  const tabs = [
    { label: words.overview, to: '/forms/$id', params },
    ...(mayEdit ? [{ label: words.submissions, to: '/forms/$id/submissions', params }] : []),
    { label: words.versions, to: '/forms/$id/versions', params },
    { label: words.share, to: '/forms/$id/share', params },
    { label: words.retention, to: '/forms/$id/retention', params },
  ];
  return (
    <Page
      title={form?.title ?? words.one}
      {...(form === undefined ? {} : { lead: <FormState form={form} /> })}
      back={{ label: words.allForms, to: '/forms/all' }}
      wide
      actions={
        form !== undefined && (
          <>
            {actions}
            {form.active && (
              <ButtonAnchor
                href={`/f/${form.vanity_url ?? form.id}`}
                target="_blank"
                rel="noopener"
                icon={ExternalLink}
              >
                {words.openPage}
              </ButtonAnchor>
            )}
            {mayEdit && (
              <ButtonLink to="/forms/$id/edit" params={params} look="primary" icon={Pencil}>
                {words.edit}
              </ButtonLink>
            )}
          </>
        )
      }
    >
      <PageTabs label={words.tabs} tabs={tabs} />
      <Loaded read={read}>{({ data }) => children(data)}</Loaded>
    </Page>
  );
}
