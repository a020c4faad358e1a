import type { ReactNode } from 'react';
import { useMay } from '../../session/session.ts';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { words } from '../../words/mailings.ts';

interface MailingFrameProps {
  mailing: { id: string; name: string };
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** What stands around each page of one mailing. */
export function MailingFrame({ mailing: { id, name }, actions, wide = false, children }: MailingFrameProps) {
  const mayChange = useMay('editor');
  const root = `/marketing/mailings/${id}`;
  return (
    <Page title={name} wide={wide} back={{ label: words.title, to: '/marketing/mailings' }} actions={actions}>
      <PageTabs
        label={words.tabs.label}
        tabs={[
          { label: words.tabs.write, to: root },
          ...(mayChange ? [{ label: words.tabs.send, to: `${root}/send` }] : []),
          { label: words.tabs.sends, to: `${root}/sends` },
        ]}
      />
      {children}
    </Page>
  );
}
