import { Lock } from 'lucide-react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { words } from '../words/shared.ts';

/** Stands at addresses that somebody's role does not find. */
export function NotForRole() {
  return (
    <Page title={words.notForRole}>
      <Empty icon={Lock} title={words.notForRole} action={<ButtonLink to="/">{words.home}</ButtonLink>}>
        {words.notForRoleLead}
      </Empty>
    </Page>
  );
}
