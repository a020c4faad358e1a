import { Compass } from 'lucide-react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { words } from '../words/shared.ts';

/** Stands at addresses where nothing is. */
export function NotFound() {
  return (
    <main>
      <Page title={words.notFound}>
        <Empty icon={Compass} title={words.notFound} action={<ButtonLink to="/">{words.home}</ButtonLink>}>
          {words.notFoundLead}
        </Empty>
      </Page>
    </main>
  );
}
